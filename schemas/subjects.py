"""The subjects of NATS: how they are written and read, in one place."""

import re

from schemas.cards import Seat
from schemas.log import Due, Role

LOG_STREAM = "LOG"
LOG_SUBJECTS = "log.*.*.*"
TAILS = "tail.*.*"
TIMERS_STREAM = "TIMERS"
TIMERS_SET = "timer.set.*"
TIMERS_FIRED = "timer.fire.*"
OPEN = "cmd.open"
COMMANDS = "cmd.>"
JOINS = "cmd.*.join"

MATCH_ID = re.compile(r"[0-9A-Z]{12,26}")
"""What a match id must be before it enters a subject."""

SEAT = re.compile(r"[0-9]|1[0-5]")
"""How a seat is written in a subject."""


def is_match_id(text: str) -> bool:
    """Whether `text` may stand in a subject as a match id."""
    return MATCH_ID.fullmatch(text) is not None


def seat_of(text: str) -> Seat | None:
    """The seat that a token of a subject names; None where it names none."""
    return int(text) if SEAT.fullmatch(text) else None


def due_token(due: Due) -> str:
    """`due` as it stands on a subject: a tuple of seats is `seats`."""
    return "seats" if isinstance(due, tuple) else due


def log_subject(match: str, by: Role, due: Due) -> str:
    """Where a commit by role `by` goes that leaves `due` to decide next."""
    return f"log.{match}.{by}.{due_token(due)}"


def log_filter(match: str) -> str:
    """All commits of a match: the one filter string by which every append excludes all others."""
    return f"log.{match}.>"


def log_match(subject: str) -> str:
    """The match id on a log subject."""
    return subject.split(".")[1]


def tail_subject(match: str, role: Role) -> str:
    """Where a role tells the others what it has stored."""
    return f"tail.{match}.{role}"


def timer_subject(match: str) -> str:
    """Where the one timer of a match is set."""
    return f"timer.set.{match}"


def fired_subject(match: str) -> str:
    """Where the timer of a match fires."""
    return f"timer.fire.{match}"


def timer_filter(match: str) -> str:
    """The one timer of a match, set or fired."""
    return f"timer.*.{match}"


def timer_match(subject: str) -> str:
    """The match id on a timer's subject."""
    return subject.split(".")[2]


def due_filter(role: Role) -> str:
    """The tokens for a role: all commits that leave it due."""
    return f"log.*.*.{role}"


def by_filter(role: Role) -> str:
    """All commits that a role writes."""
    return f"log.*.{role}.*"


def tail_filter(role: Role) -> str:
    """All tails of a role."""
    return tail_subject("*", role)


SEATING = log_subject("*", "referee", "open")
"""The referee's commits that leave a match open to who joins: seats taken, left and lost."""


def join_subject(match: str) -> str:
    """Where one asks for a seat."""
    return f"cmd.{match}.join"


def seat_subject(match: str, seat: Seat) -> str:
    """Where a seat sends its commands."""
    return f"cmd.{match}.{seat}"


HOUSE = "house"
"""The house, where a seat's number would stand."""


def house_subject(match: str) -> str:
    """Where the house sends its commands."""
    return f"cmd.{match}.{HOUSE}"


def view_subject(match: str, seat: Seat | None) -> str:
    """Where the frames of a seat, or of the rail (None), are published."""
    return f"view.{match}.rail" if seat is None else f"view.{match}.seat.{seat}"


def sync_subject(match: str, seat: Seat | None) -> str:
    """Where a viewer asks for the frames he missed."""
    return view_subject(match, seat) + ".sync"


def legal_subject(match: str, seat: Seat) -> str:
    """Where a seat asks for choices that are too many for a frame."""
    return view_subject(match, seat) + ".legal"


VIEW_SEATS = "view.*.seat.*"
VIEW_RAIL = "view.*.rail"
SYNC_SEATS = "view.*.seat.*.sync"
SYNC_RAIL = "view.*.rail.sync"
LEGAL_SEATS = "view.*.seat.*.legal"
QUESTIONS = (SYNC_SEATS, SYNC_RAIL, LEGAL_SEATS)
"""What viewers ask of the gallery."""


def ready_subject(service: str) -> str:
    """Where a service answers once it is ready."""
    return f"service.{service}.ready"


GUEST = "guest"
"""The user name of who holds no seat; the password is any text that nobody else knows."""


def seat_user(match: str, seat: Seat) -> str:
    """The user name of who holds a seat; the password is its token in hex."""
    return f"{match}.{seat}"


def user_inbox(user: str) -> str:
    """Where a service or a seat is answered."""
    return f"_INBOX.{user}"


def guest_inbox(password: str) -> str:
    """Where a guest is answered: a place that only who knows the password can name, which is all it guards."""
    return user_inbox(f"{GUEST}.{password}")
