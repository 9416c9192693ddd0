"""A house for the tests: the services on one log and the players of one match, whose secrets are all known."""

import hashlib
from collections.abc import Callable, Collection, Coroutine, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from schemas.actions import Action, CommitEntropy, Join, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.clock import Clock
from schemas.codec import Message, from_reply, to_service
from schemas.commands import Accepted, Command, Reply, Request
from schemas.digest import digest
from schemas.log import ROLES, Role, role_due
from schemas.subjects import OPEN, join_subject, seat_subject
from services.gallery.gallery import Gallery
from services.games import GAMES
from services.games.clock import DAY, wake
from services.games.decide import Draft, act, cause_of, deal, match_id, play_managed, score
from services.games.fold import Fold
from services.games.game import Refused
from services.games.match import Match, asked, due, may_manage
from services.games.pick import pick
from services.games.shuffle import Stream, entropy_commitment, share
from services.games.view import legal, legal_of_house
from services.referee.desk import Desk
from services.runtime.log import Entry, EventLog, MemoryLog
from services.runtime.tails import Tell, untold
from services.runtime.worker import Turn, Worker
from tests.templates import ends

T = TypeVar("T")

SOME = 64
"""So many choices of a kind and size are tried at most where all that was ever listed is to be tried."""

TIMEOUT: Action = {"type": "timeout"}


class Setting(NamedTuple):
    """What a match is opened with."""

    game: str
    preset: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}-{self.preset}-{self.seats}"

    @property
    def options(self) -> dict[str, Any]:
        """The preset, with what keeps matches of this game short."""
        return {"preset": self.preset, **shortened(self.game).options}


class Shortened(Struct, frozen=True, forbid_unknown_fields=True):
    """`short.json` in a game's folder of tests: options that keep matches short, and the numbers of seats."""

    options: dict[str, Any] = {}
    seats: tuple[int, ...] = ()


@cache
def shortened(game: str) -> Shortened:
    """What keeps the matches of a game short."""
    path = Path(__file__).parent / "games" / game / "short.json"
    return msgspec.json.decode(path.read_bytes(), type=Shortened) if path.is_file() else Shortened()


def _settings() -> Iterator[Setting]:
    for game in GAMES.values():
        for preset in game.presets:
            for seats in shortened(game.name).seats or game.seats:
                setting = Setting(game.name, preset, seats)
                try:
                    game.open(setting.options, seats)
                except Refused:
                    continue
                yield setting


SETTINGS = tuple(sorted(_settings(), key=lambda setting: setting.game != "gongzhu"))
"""Every preset of every game with every number of seats, as far as `open` accepts it and `short.json` allows.

Gongzhu comes first: a test that is of no game in particular takes the first setting, and its hands hide much for long.
"""


# --- services ----------------------------------------------------------------------------------------------------


def secret_of(owner: str) -> bytes:
    """32 bytes that only their owner knows."""
    return digest("tests/secret", owner)


def dealer_turn(match: Match) -> Draft:
    """What the dealer does when he is due, with this house's shares."""
    return deal(match, partial(share, secret_of("shares"), match.id), "tests")


HOUSE_TOKEN = secret_of("house")
"""What proves the operator."""

TURNS: dict[Role, Turn] = {"dealer": dealer_turn, "referee": play_managed, "scorer": score}


def a_worker(
    role: Role, log: EventLog, *, matches: int = 1000, clock: Callable[[], int] = int, tell: Tell = untold
) -> Worker:
    """One replica of a role; its clock stands at 0, unless another is given."""
    return Worker(role, log, salt_key=secret_of(role), turn=TURNS[role], clock=clock, matches=matches, tell=tell)


async def feed(gallery: Gallery, *entries: Entry) -> None:
    """Let a gallery take messages in and publish their frames."""
    for entry in entries:
        await gallery.take(entry)
    await gallery.publish()


# --- players -----------------------------------------------------------------------------------------------------


def opening(setting: Setting, name: str = "", clock: Clock | None = None) -> Request:
    """The request by which a match is opened; another name, another match."""
    key = secret_of(f"opener {name}")
    options = setting.options
    wish = Open(key=key, game=setting.game, options=options, seats=setting.seats, clock=clock or Clock())
    return Request(id="open", action=as_action(wish))


def match_of(request: Request) -> str:
    """The id of the match that this request opens."""
    return match_id(request.action["key"], request.id)


class Player(NamedTuple):
    """Who sits, or wants to sit, at a seat."""

    match: str
    seat: Seat
    name: str = ""

    @property
    def token(self) -> bytes:
        """What proves the seat."""
        return digest("tests/token", self.match, self.seat, self.name)

    @property
    def key(self) -> bytes:
        """The public part of the token."""
        return hashlib.sha256(self.token).digest()

    @property
    def entropy(self) -> bytes:
        """This player's part of every deal."""
        return digest("tests/entropy", self.match, self.seat, self.name)

    @property
    def commitment(self) -> bytes:
        """What is told of the entropy at first."""
        return entropy_commitment(self.match, self.key, self.entropy)

    def join(self) -> Request:
        """The request for the seat."""
        wish = Join(key=self.key, commitment=self.commitment, seat=self.seat)
        return Request(id=f"join {self.name}", action=as_action(wish))

    def commit(self) -> Action:
        """The action that commits to the entropy anew."""
        return as_action(CommitEntropy(commitment=self.commitment))

    def show(self) -> Action:
        """The action that shows the entropy."""
        return as_action(ShowEntropy(entropy=self.entropy))

    def command(self, name: str, action: Action, seen: int | None = None) -> Command:
        """An action as it is sent."""
        return Command(id=name, token=self.token, action=dict(action), seen=seen)


class House:
    """One worker of each role and a desk on a log, and the players of one match.

    Attributes:
        now: what the clock of the workers says, in milliseconds.
        guests: all who ever sat.
    """

    def __init__(
        self, setting: Setting, name: str = "", log: EventLog | None = None, *, clock: Clock | None = None
    ) -> None:
        self.setting = setting
        self.log = log or MemoryLog()
        self.now = 0
        self.workers = {role: a_worker(role, self.log, clock=lambda: self.now, tell=self.tell) for role in ROLES}
        self.desk = Desk(self.workers["referee"], house=hashlib.sha256(HOUSE_TOKEN).digest())
        self.request = opening(setting, name, clock)
        self.match = match_of(self.request)
        self.players = [Player(self.match, seat) for seat in range(setting.seats)]
        self.guests: list[Player] = []
        self._fold = Fold(self.match)
        self._last: Entry
        self._sent = 0

    async def tell(self, match: str, entries: Collection[Entry]) -> None:
        """Let all workers hear what one of them has written."""
        for worker in self.workers.values():
            worker.hear(match, entries)

    async def entries(self) -> list[Entry]:
        """The log of the match."""
        return await self.log.read(self.match)

    async def state(self) -> Match:
        """The match as the log has it."""
        for entry in await self.log.read(self.match, self._fold.sequence):
            self._fold.apply(*entry)
            self._last = entry
        assert self._fold.state is not None
        return self._fold.state

    async def ask(self, subject: str, command: Request | Command) -> Reply:
        """What the referee answers."""
        return from_reply(await self.desk.answer(subject, to_service(command)))

    async def open(self) -> Reply:
        """Open the match."""
        return await self.ask(OPEN, self.request)

    async def join(self, player: Player) -> Reply:
        """A player asks for a seat."""
        return await self.ask(join_subject(self.match), player.join())

    async def send(self, seat: Seat, action: Action, *, seen: int | None = None) -> Reply:
        """A seat sends an action, as a command of its own."""
        self._sent += 1
        command = self.players[seat].command(f"command {self._sent}", action, seen)
        return await self.ask(seat_subject(self.match, seat), command)

    async def time_out(self, seat: Seat | None) -> None:
        """The services let the time of a seat, or of the house, be up. Raises Refused."""
        await self.decide(seat, TIMEOUT)

    async def decide(self, seat: Seat | None, action: Action) -> None:
        """The services act for a seat, or for the house. Raises Refused."""
        self._sent += 1
        self.now += DAY
        cause = cause_of("referee", f"decision {self._sent}")
        await self.workers["referee"].answer(self.match, cause, lambda match: act(live(match), seat, action))

    async def wake(self, now: int) -> Match:
        """The timer of the match fires at `now`."""
        self.now = now
        await self.workers["referee"].wake(self.match, wake)
        return await self.settle()

    async def settle(self) -> Match:
        """Let the roles take their turns until a player is due, or nobody."""
        while True:
            state = await self.state()
            who = role_due(due(state))
            if who is None or (who == "referee" and due(state) != "referee"):
                return state
            self.workers[who].hear(self.match, [self._last])
            await self.workers[who].take_turns(self.match, self._last.sequence)

    async def seat_all(self) -> Match:
        """Open the match, fill the seats and show all entropy: the first hand is dealt."""
        await self.open()
        while due(await self.settle()) == "open":
            await self.fill(await self.state())
        for player in self.players:
            await self.send(player.seat, player.show())
        return await self.settle()

    async def fill(self, state: Match) -> None:
        """One free seat is taken, or one seat commits to its entropy anew."""
        free = [seat for seat, holder in enumerate(state.holders) if not holder.key]
        if free:
            self.players[free[0]] = Player(self.match, free[0], f"after {state.index}")
            self.guests.append(self.players[free[0]])
            agreed(await self.join(self.players[free[0]]))
        else:
            seat = asked(state)[0]
            agreed(await self.send(seat, self.players[seat].commit()))


def live(match: Match | None) -> Match:
    """The match, which is known to be open."""
    assert match is not None
    return match


def agreed(reply: Reply) -> Accepted:
    """The reply, which must be an Accepted."""
    assert isinstance(reply, Accepted), reply
    return reply


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing, as on a log in memory; there may be an event loop around."""
    try:
        work.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise RuntimeError("it waits for something")


# --- whole matches -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Played:
    """A match that was played to its end; `states[i]` is the match after commit i + 1."""

    setting: Setting
    house: House
    entries: tuple[Entry, ...]
    messages: tuple[Message, ...]
    states: tuple[Match, ...]

    @cached_property
    def vocabulary(self) -> list[Action]:
        """The choices that were ever listed to anybody in this match, of templates both ends; of very many, some."""
        listed = {
            msgspec.msgpack.encode(action)
            for state in self.states
            for seat in range(self.setting.seats)
            for choice in legal(state, seat).choices
            for action in ends(choice)
        }
        kinds: dict[tuple[str, int], list[Action]] = {}
        for choice in map(msgspec.msgpack.decode, sorted(listed)):
            kinds.setdefault((choice["type"], len(choice.get("cards", ()))), []).append(choice)
        return [choice for choices in kinds.values() for choice in choices[:: len(choices) // SOME + 1]]


@lru_cache(maxsize=64)
def played(number: int) -> Played:
    """Match `number` of a series that goes through all settings, by turns orderly and wild."""
    setting = SETTINGS[number % len(SETTINGS)]
    house = House(setting, str(number))
    wild = number // len(SETTINGS) % 2 == 1
    run(play(house, Stream(digest("tests/dice", number)), wild=wild))
    entries = tuple(run(house.entries()))
    fold = Fold(house.match)
    messages: list[Message] = []
    states: list[Match] = []
    for entry in entries:
        message = fold.apply(*entry)
        assert message is not None
        messages.append(message)
        states.append(live(fold.state))
    return Played(setting, house, entries, tuple(messages), tuple(states))


async def play(house: House, dice: Stream, *, wild: bool) -> None:
    """Random legal play to the end; where it is wild, answers fail to come and seats are managed for a while."""
    await house.open()
    while (who := due(state := await house.settle())) != "none":
        if who == "open":
            await house.fill(state)
        else:
            await _move(house, state, dice, wild=wild)


async def _move(house: House, state: Match, dice: Stream, *, wild: bool) -> None:
    if due(state) == "house":
        await let_the_house_decide(house, state, dice)
        return
    seats = asked(state)
    seat = seats[dice.below(len(seats))]
    listed = legal(state, seat)
    match dice.below(12) if wild else None:
        case 0:
            await house.time_out(seat)
        case 1 if any(template["type"] == "manage" for template in listed.also):
            other = dice.below(len(state.holders))
            on = not state.holders[other].managed
            if may_manage(state, other, on=on):
                agreed(await house.send(other, {"type": "manage", "on": on}))
        case 2 if (action := pick(legal(state, other := dice.below(len(state.holders))), dice)) is not None:
            agreed(await house.send(other, action))
        case _:
            agreed(await house.send(seat, pick(listed, dice) or house.players[seat].show()))


async def let_the_house_decide(house: House, state: Match, dice: Stream) -> None:
    """It rules by the dice, or its time is up, unless a seat that may still do something does it first."""
    if (ruling := pick(legal_of_house(state), dice)) is not None:
        await house.decide(None, ruling)
        return
    seat = dice.below(2 * len(state.holders))
    if seat < len(state.holders) and (action := pick(legal(state, seat), dice)) is not None:
        agreed(await house.send(seat, action))
    else:
        await house.time_out(None)
