"""Each role has one secret, from which every key it uses comes; no process needs the secret of another role."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from schemas.log import ROLES, Role
from services.runtime.nats_config import ADMIN, CALLOUT, Keys
from services.runtime.settings import SECRET_BYTES, Settings, SettingsError


def new_secret() -> SecretStr:
    """32 random bytes, in hex as the setting `secret` takes them."""
    return SecretStr(secrets.token_hex(SECRET_BYTES))


def required(settings: Settings) -> SecretStr:
    """The secret of this process. Raises SettingsError where none is set."""
    if settings.secret is None:
        raise SettingsError(
            "FAIRDEAL_SECRET is not set, and a role cannot do without: 32 bytes in hex, the same for all its replicas"
        )
    return settings.secret


def derive(secret: SecretStr, purpose: str) -> bytes:
    """The 32-byte key of one purpose, HMAC-SHA-256(secret, purpose); it tells nothing of the secret or other keys."""
    return hmac.digest(bytes.fromhex(secret.get_secret_value()), f"fairdeal/{purpose}".encode(), "sha256")


def salt_key(secret: SecretStr, role: Role) -> bytes:
    """The key from which a role makes the salts of its secrets (design §5.1)."""
    return derive(secret, f"salt-key/{role}")


def share_key(secret: SecretStr) -> bytes:
    """The key from which the dealer makes its share chain of each match (design §5)."""
    return derive(secret, "share-key")


def key_id(secret: SecretStr) -> str:
    """The public name of the dealer's secret, which stands in the log."""
    return derive(secret, "key-id").hex()[:16]


def role_secret(master: SecretStr, role: Role) -> SecretStr:
    """The secret of one role's processes, for one operator who starts all of them."""
    return SecretStr(derive(master, f"role/{role}").hex())


def house_token(master: SecretStr) -> bytes:
    """The token of the house, for one operator who starts all services."""
    return derive(master, "house")


def credentials(keys: Keys, master: SecretStr) -> Mapping[str, Mapping[str, SecretStr]]:
    """For each process the settings that are its own and no other's, by the name of its user on the server."""
    own = {name: {"nats_seed": seed} for name, seed in keys.users.items()}
    for role in ROLES:
        own[role]["secret"] = role_secret(master, role)
    token = house_token(master)
    own[ADMIN]["token"] = SecretStr(token.hex())
    own["referee"]["house_key"] = SecretStr(hashlib.sha256(token).hexdigest())
    own[CALLOUT]["nats_issuer"] = keys.issuer
    return own


def store_secret(store: Path) -> SecretStr:
    """The master secret kept with the logs of an embedded server, in `<store>/SECRET`; made at the first call.

    It lives as long as the matches it dealt: with another one, a match begun before could not be dealt on. Call it
    while holding the store (inside `async with NatsServer(store)`). Raises OSError.
    """
    path = store / "SECRET"
    if not path.exists():
        new = path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(new_secret().get_secret_value(), encoding="ascii")
        new.replace(path)
    return SecretStr(path.read_text(encoding="ascii"))
