"""Where settings come from, which win, and what is refused."""

from pathlib import Path

import pytest

from services.runtime.settings import Settings, SettingsError, load_settings, to_environ

SECRET = "5e" * 32


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_given_means_defaults() -> None:
    settings = load_settings(environ={})
    assert settings.nats_url is None
    assert settings.replicas == 1
    assert settings.secret is None


def test_file_beats_default_environment_beats_file_flag_beats_environment(folder: Path) -> None:
    (folder / "fairdeal.toml").write_text("replicas = 3\nlog_level = 'error'\nlog_max_bytes = 1\n")
    environ = {"FAIRDEAL_LOG_LEVEL": "warning", "FAIRDEAL_LOG_MAX_BYTES": "2"}
    settings = load_settings(environ=environ, flags={"log_max_bytes": 3, "store": None})
    assert (settings.replicas, settings.log_level, settings.log_max_bytes) == (3, "warning", 3)


def test_file_may_be_named_by_the_environment(folder: Path) -> None:
    (folder / "other.toml").write_text("replicas = 3\n")
    assert load_settings(environ={"FAIRDEAL_CONFIG": "other.toml"}).replicas == 3


def test_file_named_by_the_environment_must_exist() -> None:
    with pytest.raises(SettingsError, match=r"other\.toml cannot be read"):
        load_settings(environ={"FAIRDEAL_CONFIG": "other.toml"})


def test_file_that_is_not_toml_is_named(folder: Path) -> None:
    (folder / "fairdeal.toml").write_text("replicas: 3\n")
    with pytest.raises(SettingsError, match=r"fairdeal\.toml is not TOML"):
        load_settings(environ={})


def test_unknown_key_in_the_file_is_refused_with_the_keys_there_are(folder: Path) -> None:
    (folder / "fairdeal.toml").write_text("replica = 3\n")
    with pytest.raises(
        SettingsError, match=r"replica in fairdeal\.toml is no setting; there are: nats_url, .*replicas"
    ):
        load_settings(environ={})


def test_unknown_variable_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match=r"FAIRDEAL_REPLICA is no setting; there are: nats_url"):
        load_settings(environ={"FAIRDEAL_REPLICA": "3", "PATH": "/bin"})


def test_unknown_flag_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match=r"--log-size is no setting"):
        load_settings(environ={}, flags={"log_size": 3})


def test_empty_variable_counts_as_not_given() -> None:
    assert load_settings(environ={"FAIRDEAL_REPLICAS": ""}).replicas == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FAIRDEAL_REPLICAS", "2"),
        ("FAIRDEAL_REPLICAS", "many"),
        ("FAIRDEAL_LOG_MAX_BYTES", "0"),
        ("FAIRDEAL_LOG_LEVEL", "loud"),
        ("FAIRDEAL_LOG_FORMAT", "xml"),
    ],
)
def test_impossible_value_is_refused_by_the_name_of_its_source(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name}: "):
        load_settings(environ={name: value})


@pytest.mark.parametrize("value", [SECRET[2:], SECRET + "5e", "x" + SECRET[1:]])
def test_secret_that_is_not_32_bytes_is_refused_and_not_shown(value: str) -> None:
    with pytest.raises(SettingsError, match=r"^FAIRDEAL_SECRET: ") as refusal:
        load_settings(environ={"FAIRDEAL_SECRET": value})
    assert value not in str(refusal.value)
    assert refusal.value.__suppress_context__


@pytest.mark.parametrize("value", ["nonsense", "UA" + "A" * 54, "SU" + "A" * 55, "SU" + "1" * 56, "su" + "a" * 56])
@pytest.mark.parametrize("name", ["FAIRDEAL_NATS_SEED", "FAIRDEAL_NATS_ISSUER"])
def test_seed_of_another_form_is_refused_and_not_shown(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name}: ") as refusal:
        load_settings(environ={name: value})
    assert value not in str(refusal.value)


@pytest.mark.parametrize(
    "value",
    [
        "nonsense:port",
        "nats://",
        "nats://:4222",
        "::",
        "nats://host:99999",
        "nats://u:hush@[::1",
        "nats://a:1,nats://b:2",
        "http://host:4222",
        "nats:/host",
        "nats://a b",
        "nats://host\n",
    ],
)
def test_address_without_a_valid_form_is_refused_and_not_shown(value: str) -> None:
    with pytest.raises(SettingsError, match=r"^FAIRDEAL_NATS_URL: must be an address like ") as refusal:
        load_settings(environ={"FAIRDEAL_NATS_URL": value})
    assert "hush" not in str(refusal.value)


@pytest.mark.parametrize(
    "value", ["host", "host:4222", "nats://u:hush@host:4222", "tls://[::1]:4222", "wss://host/path"]
)
def test_address_of_each_form_that_nats_knows_is_taken(value: str) -> None:
    settings = load_settings(environ={"FAIRDEAL_NATS_URL": value})
    assert settings.nats_url is not None
    assert settings.nats_url.get_secret_value() == value


@pytest.mark.parametrize("store", ["file", "file/below/it"])
def test_store_that_is_no_folder_is_refused_by_the_name_of_its_source(folder: Path, store: str) -> None:
    (folder / "file").touch()
    (folder / "fairdeal.toml").write_text(f"store = '{store}'\n")
    for environ, name in (
        (dict[str, str](), r"store in fairdeal\.toml"),
        ({"FAIRDEAL_STORE": store}, "FAIRDEAL_STORE"),
    ):
        with pytest.raises(SettingsError, match=f"^{name}: must be a folder, and file is none"):
            load_settings(environ=environ)
    assert load_settings(environ={"FAIRDEAL_STORE": "not/there/yet"}).store == Path("not/there/yet")


@pytest.mark.parametrize("store", ["n" * 300, "~no-such-user/store"])
def test_store_that_can_be_no_folder_is_refused_by_the_name_of_its_source(store: str) -> None:
    with pytest.raises(SettingsError, match=f"^FAIRDEAL_STORE: must be a folder, and {store} cannot be one: "):
        load_settings(environ={"FAIRDEAL_STORE": store})


def test_secrets_are_not_in_the_repr() -> None:
    settings = load_settings(environ={"FAIRDEAL_SECRET": SECRET, "FAIRDEAL_NATS_URL": "nats://services:hush@host"})
    assert SECRET not in repr(settings)
    assert "hush" not in repr(settings)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings(environ={}).replicas = 3


def test_store_is_in_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    assert load_settings(environ={}).store == folder / "fairdeal"
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_DATA_HOME")
    assert load_settings(environ={}).store == folder / ".local" / "share" / "fairdeal"
    assert load_settings(environ={"FAIRDEAL_STORE": "~/logs"}).store == folder / "logs"


def test_child_with_the_environment_of_settings_has_the_same_settings() -> None:
    environ = {"FAIRDEAL_SECRET": SECRET, "FAIRDEAL_NATS_URL": "nats://services:hush@host", "FAIRDEAL_REPLICAS": "3"}
    settings = load_settings(environ=environ, flags={"nats_server_bin": Path("/bin/nats-server")})
    given = to_environ(settings, base={"PATH": "/bin", "FAIRDEAL_LOG_LEVEL": "error"})
    assert given["PATH"] == "/bin"
    assert load_settings(environ=given) == settings


def test_child_does_not_get_the_secret_of_its_parent() -> None:
    assert "FAIRDEAL_SECRET" not in to_environ(Settings(), base={"FAIRDEAL_SECRET": SECRET})
