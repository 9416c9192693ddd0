"""Who may do what on the server: the accounts, the users and their subjects, for the embedded server and real ones.

A request's reply subject is not under the sender's permissions, so players are in an account of their own, from which
only commands, questions to the gallery and views cross over: what they name as reply subject means nothing in the
account of the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from schemas.codec import MAX_COMMAND_BYTES
from schemas.subjects import (
    COMMANDS,
    LOG_STREAM,
    QUESTIONS,
    SEATING,
    TAILS,
    TIMERS_SET,
    TIMERS_STREAM,
    VIEW_RAIL,
    VIEW_SEATS,
    by_filter,
    house_subject,
    ready_subject,
    tail_filter,
    user_inbox,
)
from services.runtime import nkey
from services.runtime.jetstream import DIRECT_GET, LEADER_GET
from services.runtime.provision import CONSUMERS, GALLERY, TIMERS

SERVICES, PLAYERS, AUTH, SYSTEM = "SERVICES", "PLAYERS", "AUTH", "SYS"
"""The accounts: of the log and all who write or read it, of players, of the callout, of the server itself."""

ADMIN = "admin"
"""The user of the operator: he makes streams and consumers, sets timers that were lost, reads logs, asks services
whether they are ready, and sends the house's commands."""

CALLOUT = "callout"
"""The user of the service that says who a player is, alone in the account AUTH."""

AUTH_REQUESTS = "$SYS.REQ.USER.AUTH"
AUTH_REPLIES = "$SYS._INBOX.>"
"""Where the server asks who somebody is, and where it waits for the answer."""

AUTH_SECONDS = 2
"""Seconds that the server waits for the callout, and for a client to say who it is."""

SUBSCRIPTIONS = 100
"""How many subscriptions a player's connection may have."""

CONNECTIONS = "$SYS.REQ.SERVER.PING.CONNZ"
KICK = "$SYS.REQ.SERVER.*.KICK"
"""Where each server tells of its connections, and where one of them ends one."""

IMPORTED_REPLIES = "_R_.>"
"""Where the server waits for an answer that it carries to another account."""

READS = (LEADER_GET, DIRECT_GET, f"$JS.API.STREAM.INFO.{LOG_STREAM}")

TIMER_GET = f"$JS.API.STREAM.MSG.GET.{TIMERS_STREAM}"


@dataclass(frozen=True, kw_only=True)
class Rights:
    """The subjects to which a user may publish, and those he may subscribe to; all others are denied."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Keys:
    """The seeds of all users, and of the account key by which the callout signs whom it lets in."""

    users: Mapping[str, SecretStr] = field(repr=False)
    issuer: SecretStr = field(repr=False)


def _service(name: str, *, publish: tuple[str, ...], subscribe: tuple[str, ...] = ()) -> Rights:
    """A service's own subjects, and what each needs: the log, its consumer, to be answered, to say that it is ready."""
    return Rights(
        publish=(*publish, *READS, *_consumes(name), user_inbox(ADMIN) + ".>"),
        subscribe=(*subscribe, user_inbox(name) + ".>", ready_subject(name)),
    )


def _consumes(consumer: str) -> tuple[str, ...]:
    """What it takes to pull from a durable consumer, and to ack."""
    api, of = "$JS.API.CONSUMER", f"{CONSUMERS[consumer].stream}.{consumer}"
    return (f"{api}.INFO.{of}", f"{api}.MSG.NEXT.{of}", f"$JS.ACK.{of}.>")


USERS: Mapping[str, Rights] = {
    "dealer": _service("dealer", publish=(by_filter("dealer"), tail_filter("dealer")), subscribe=(TAILS,)),
    "referee": _service(
        "referee",
        publish=(
            by_filter("referee"),
            tail_filter("referee"),
            IMPORTED_REPLIES,
            TIMERS_SET,
            TIMER_GET,
            *_consumes(TIMERS),
        ),
        subscribe=(COMMANDS, TAILS),
    ),
    "scorer": _service("scorer", publish=(by_filter("scorer"), tail_filter("scorer")), subscribe=(TAILS,)),
    GALLERY: _service(GALLERY, publish=(VIEW_SEATS, VIEW_RAIL, IMPORTED_REPLIES), subscribe=QUESTIONS),
    ADMIN: Rights(
        publish=("$JS.API.>", "$JS.FC.>", TIMERS_SET, ready_subject("*"), house_subject("*")),
        subscribe=(user_inbox(ADMIN) + ".>",),
    ),
}
"""The users of the account SERVICES."""

CALLOUT_RIGHTS = Rights(
    publish=(DIRECT_GET, AUTH_REPLIES, IMPORTED_REPLIES, CONNECTIONS, KICK),
    subscribe=(AUTH_REQUESTS, SEATING, user_inbox(CALLOUT) + ".>", ready_subject(CALLOUT)),
)


def new_keys(users: Mapping[str, Rights] = USERS) -> Keys:
    """New keys for the users of SERVICES, for the callout, and for what it signs."""
    return Keys(users={name: nkey.new_user() for name in (*users, CALLOUT)}, issuer=nkey.new_account())


def accounts_config(keys: Keys, users: Mapping[str, Rights] = USERS) -> dict[str, Any]:
    """The part of the server's configuration that says who may do what; it holds public keys only."""
    return {
        "accounts": {
            SERVICES: {
                "jetstream": "enabled",
                "users": [_user(keys, name, rights) for name, rights in users.items()],
                "exports": [
                    *({"service": subject, "accounts": [PLAYERS]} for subject in (COMMANDS, *QUESTIONS)),
                    {"stream": VIEW_SEATS, "accounts": [PLAYERS]},
                    {"stream": VIEW_RAIL, "accounts": [PLAYERS]},
                    {"stream": SEATING, "accounts": [AUTH]},
                    {"service": DIRECT_GET, "response_type": "stream", "accounts": [AUTH]},
                ],
                "imports": [_import("service", AUTH, ready_subject(CALLOUT))],
            },
            PLAYERS: {
                # For each connection. What a callout says of such limits, the server does not heed.
                "limits": {"max_subscriptions": SUBSCRIPTIONS, "max_payload": MAX_COMMAND_BYTES},
                "imports": [
                    *(_import("service", SERVICES, subject) for subject in (COMMANDS, *QUESTIONS)),
                    *(_import("stream", SERVICES, subject) for subject in (VIEW_SEATS, VIEW_RAIL)),
                ],
            },
            AUTH: {
                "users": [_user(keys, CALLOUT, CALLOUT_RIGHTS)],
                "exports": [{"service": ready_subject(CALLOUT), "response_type": "stream", "accounts": [SERVICES]}],
                "imports": [
                    _import("service", SERVICES, DIRECT_GET),
                    _import("stream", SERVICES, SEATING),
                    *(_import("service", SYSTEM, subject) for subject in (CONNECTIONS, KICK)),
                ],
            },
            SYSTEM: {
                "exports": [
                    {"service": CONNECTIONS, "response_type": "stream", "accounts": [AUTH]},
                    {"service": KICK, "accounts": [AUTH]},
                ],
            },
        },
        "system_account": SYSTEM,
        "authorization": {
            "timeout": AUTH_SECONDS,
            "auth_callout": {
                "issuer": nkey.public_key(keys.issuer),
                "account": AUTH,
                "auth_users": [nkey.public_key(seed) for seed in keys.users.values()],
            },
        },
    }


def _user(keys: Keys, name: str, rights: Rights) -> dict[str, Any]:
    return {
        "nkey": nkey.public_key(keys.users[name]),
        "permissions": {"publish": {"allow": list(rights.publish)}, "subscribe": {"allow": list(rights.subscribe)}},
    }


def _import(kind: str, account: str, subject: str) -> dict[str, Any]:
    return {kind: {"account": account, "subject": subject}}
