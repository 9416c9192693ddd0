"""The JSON Web Tokens in which the NATS server asks who somebody is and is answered, signed by an nkey."""

import base64
import binascii
from typing import Any

import msgspec
from msgspec import Struct, field
from pydantic import SecretStr

from services.runtime import nkey

HEADER = {"typ": "JWT", "alg": "ed25519-nkey"}


class BadToken(Exception):
    """What came is not a request of the server."""


class Server(Struct, frozen=True):
    """The server that asks."""

    id: str


class Login(Struct, frozen=True):
    """What the client presents; only user and password are of use here."""

    user: str = ""
    password: str = field(name="pass", default="")
    auth_token: str = ""
    nkey: str = ""
    jwt: str = ""


class Question(Struct, frozen=True):
    """Who is this? `user_nkey` names the connection."""

    server_id: Server
    user_nkey: str
    connect_opts: Login


class _Claims(Struct, frozen=True):
    nats: Question


def question(token: bytes) -> Question:
    """What the server asks; only it can publish where this comes from. Raises BadToken."""
    try:
        _, claims, _ = token.split(b".")
        return msgspec.json.decode(base64.urlsafe_b64decode(claims + b"=="), type=_Claims).nats
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise BadToken(type(error).__name__) from None


def encode(claims: dict[str, Any], issuer: SecretStr, *, at: int) -> str:
    """The claims as a token signed by `issuer` at the second `at` since 1970."""
    body = {**claims, "iss": nkey.public_key(issuer), "iat": at, "jti": claims["sub"]}
    signed = f"{_part(msgspec.json.encode(HEADER))}.{_part(msgspec.json.encode(body))}"
    return f"{signed}.{_part(nkey.sign(issuer, signed.encode()))}"


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
