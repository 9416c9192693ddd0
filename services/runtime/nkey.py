"""Nkeys: the Ed25519 keys by which the server knows our services, and by which the callout signs whom it lets in."""

import secrets
from typing import cast

import nkeys  # type: ignore[import-untyped]  # it carries no types
from pydantic import SecretStr


def new_user() -> SecretStr:
    """The seed of a new user (`SU…`)."""
    return _new(nkeys.PREFIX_BYTE_USER)


def new_account() -> SecretStr:
    """The seed of a new account (`SA…`)."""
    return _new(nkeys.PREFIX_BYTE_ACCOUNT)


def public_key(seed: SecretStr) -> str:
    """The public key of a seed (`U…`, `A…`), which may stand in any file. Raises nkeys.NkeysError."""
    return cast(bytes, _pair(seed).public_key).decode()


def sign(seed: SecretStr, data: bytes) -> bytes:
    """The Ed25519 signature of the data by the key of this seed. Raises nkeys.NkeysError."""
    return bytes(_pair(seed).sign(data))


def _new(prefix: int) -> SecretStr:
    return SecretStr(nkeys.encode_seed(secrets.token_bytes(32), prefix).decode())


def _pair(seed: SecretStr) -> nkeys.KeyPair:
    return nkeys.from_seed(bytearray(seed.get_secret_value().encode()))
