"""At the door: from what a connection presents to what it may do. Nothing that comes in can stop it."""

import re
from collections.abc import Awaitable, Callable

from msgspec import Struct
from pydantic import SecretStr

from schemas.cards import Seat
from schemas.subjects import (
    GUEST,
    JOINS,
    OPEN,
    SYNC_RAIL,
    VIEW_RAIL,
    guest_inbox,
    is_match_id,
    legal_subject,
    seat_subject,
    seat_user,
    sync_subject,
    user_inbox,
    view_subject,
)
from services.callout.jwt import Login, Question, encode
from services.runtime.nats_config import PLAYERS, Rights

PASSWORD = re.compile(r"[0-9A-Za-z_-]{16,64}")
"""The password of a guest, which he makes up; his inbox is named by it."""

SEAT_USER = re.compile(r"([0-9A-Z]+)\.([0-9]{1,2})")
TOKEN = re.compile(r"[0-9a-f]{64}")

Holds = Callable[[str, Seat, bytes], Awaitable[bool]]
"""Whether the token is the one of a match's seat."""


class Stranger(Exception):
    """Not let in; the text says why, and holds nothing that was presented."""


class Admission(Struct, frozen=True):
    """Who is let in, by a name that may be logged, and with which rights."""

    name: str
    rights: Rights


WATCHER = Admission("watcher", Rights(publish=(), subscribe=(VIEW_RAIL,)))
"""Who presents nothing: he sees what spectators see, but has nowhere to be answered."""


async def admit(login: Login, holds: Holds) -> Admission:
    """Who it is that presents this. Raises Stranger."""
    if login == Login():
        return WATCHER
    if login.user == GUEST:
        return _guest(login.password)
    named = SEAT_USER.fullmatch(login.user)
    if named is None or not is_match_id(named[1]):
        raise Stranger("no user name is like this")
    match, seat = named[1], int(named[2])
    if TOKEN.fullmatch(login.password) is None or not await holds(match, seat, bytes.fromhex(login.password)):
        raise Stranger("the token is not the one of this seat")
    return _holder(match, seat)


def answer(question: Question, verdict: Admission | Stranger, issuer: SecretStr, *, at: int) -> bytes:
    """What the server is told, at the second `at` since 1970."""
    told = {"error": str(verdict)} if isinstance(verdict, Stranger) else {"jwt": _user(question, verdict, issuer, at)}
    claims = {
        "aud": question.server_id.id,
        "sub": question.user_nkey,
        "nats": {"type": "authorization_response", "version": 2, **told},
    }
    return encode(claims, issuer, at=at).encode()


def _guest(password: str) -> Admission:
    if PASSWORD.fullmatch(password) is None:
        raise Stranger("a guest's password is 16 to 64 of 0-9 A-Z a-z _ -")
    rights = Rights(publish=(OPEN, JOINS, SYNC_RAIL), subscribe=(VIEW_RAIL, guest_inbox(password) + ".>"))
    return Admission(GUEST, rights)


def _holder(match: str, seat: Seat) -> Admission:
    user = seat_user(match, seat)
    rights = Rights(
        publish=(
            seat_subject(match, seat),
            sync_subject(match, seat),
            legal_subject(match, seat),
            sync_subject(match, None),
        ),
        subscribe=(view_subject(match, seat), view_subject(match, None), user_inbox(user) + ".>"),
    )
    return Admission(user, rights)


def _user(question: Question, admission: Admission, issuer: SecretStr, at: int) -> str:
    rights = admission.rights
    claims = {
        "aud": PLAYERS,
        "sub": question.user_nkey,
        "name": admission.name,
        "nats": {
            "type": "user",
            "version": 2,
            "pub": {"allow": rights.publish} if rights.publish else {"deny": [">"]},
            "sub": {"allow": rights.subscribe},
            "subs": -1,
            "data": -1,
            "payload": -1,
        },
    }
    return encode(claims, issuer, at=at)
