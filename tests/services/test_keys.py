"""Keys: the same for all replicas of a role, different for all else."""

import stat
from pathlib import Path

from pydantic import SecretStr

from schemas.log import ROLES
from services.runtime.keys import credentials, new_secret, role_secret, salt_key, share_key, store_secret
from services.runtime.nats_config import new_keys
from services.runtime.settings import Settings, load_settings

SECRET = SecretStr("5e" * 32)


def test_keys_are_a_function_of_the_secret() -> None:
    assert salt_key(SECRET, "dealer").hex() == "fdd845bdca22f8ff1e5a88738bfd303a98149777e6e421a6e3e3367ec1a98c21"
    assert share_key(SECRET).hex() == "b32bf303973ce59aad030f90fa5ecfa8ffbfe5bceb829312ab8a7b46a9da8346"
    assert (
        role_secret(SECRET, "dealer").get_secret_value()
        == "fb80d606f599736865301971f78badc059ccf45822408a8f88a9065a5190d886"
    )


def test_each_role_and_purpose_has_its_own_key() -> None:
    keys = {salt_key(SECRET, role) for role in ROLES} | {share_key(SECRET)}
    keys |= {bytes.fromhex(role_secret(SECRET, role).get_secret_value()) for role in ROLES}
    assert len(keys) == 7


def test_each_process_is_given_what_is_its_own_and_no_other_has_it() -> None:
    made = new_keys()
    own = credentials(made, SECRET)
    wanted = {
        "dealer": ["nats_seed", "secret"],
        "referee": ["house_key", "nats_seed", "secret"],
        "scorer": ["nats_seed", "secret"],
        "gallery": ["nats_seed"],
        "callout": ["nats_issuer", "nats_seed"],
        "admin": ["nats_seed", "token"],
    }
    assert {name: sorted(settings) for name, settings in own.items()} == wanted
    values = [value.get_secret_value() for settings in own.values() for value in settings.values()]
    assert len(set(values)) == len(values)
    assert SECRET.get_secret_value() not in values
    for settings in own.values():
        assert Settings.model_validate(dict(settings)).nats_seed == settings["nats_seed"]


def test_new_secrets_differ_and_are_what_the_setting_takes() -> None:
    first, second = new_secret(), new_secret()
    assert first != second
    assert load_settings(environ={"FAIRDEAL_SECRET": first.get_secret_value()}).secret == first


def test_secret_of_a_store_is_made_once_and_readable_by_the_user_only(tmp_path: Path) -> None:
    first = store_secret(tmp_path)
    assert store_secret(tmp_path) == first
    assert [path.name for path in tmp_path.iterdir()] == ["SECRET"]
    assert stat.S_IMODE((tmp_path / "SECRET").stat().st_mode) == 0o600
