"""What surrounds every game, as players meet it: opening, joining, entropy, managed seats, the reveal."""

import hashlib

import pytest

from replay.audit import audit_entries
from schemas.actions import Manage, as_action
from schemas.cards import Cards
from schemas.codec import from_log
from schemas.commands import Accepted, Refused, Reply, Request
from schemas.events import (
    DealerCommitted,
    EntropyCommitted,
    EntropyShown,
    Event,
    HandRevealed,
    MatchOpened,
    SeatJoined,
    SeatLost,
    SeatManaged,
    ShareUsed,
)
from schemas.refusals import Code
from schemas.subjects import join_subject
from schemas.views import Legal
from services.games.decide import FREED
from services.games.fold import Fold
from services.games.match import SWITCHES, Match, asked, due
from services.games.shuffle import Stream, seed_of, shuffle
from services.games.view import legal, table
from tests.house import SETTINGS, House, Player, Setting, agreed, play

pytestmark = pytest.mark.parametrize("house", SETTINGS[:: len(SETTINGS) // 2 or 1], indirect=True, ids=str)


@pytest.fixture
def house(request: pytest.FixtureRequest) -> House:
    """A house in which nothing has happened yet."""
    setting: Setting = request.param
    return House(setting)


async def happened(house: House) -> list[Event]:
    """All events of the match so far."""
    fold = Fold(house.match)
    messages = [fold.apply(*entry) for entry in await house.entries()]
    return [event for message in messages if message for event in message.commit.events]


async def last(house: House) -> Event:
    """The last event of the match."""
    return (await happened(house))[-1]


def code_of(reply: Reply) -> Code:
    """Why the reply is a refusal."""
    assert isinstance(reply, Refused)
    return reply.code


async def a_full_table(house: House) -> None:
    """The match is open, and every seat is taken."""
    await house.open()
    await house.settle()
    for player in house.players:
        agreed(await house.join(player))


# --- opening and joining -----------------------------------------------------------------------------------------


async def test_opening_a_match_writes_its_first_commit(house: House) -> None:
    """Given nothing; when a match is opened; then it stands in the log with its game, seats and resolved options."""
    reply = await house.open()

    assert reply == Accepted(match=house.match, index=1)
    opened = await last(house)
    assert isinstance(opened, MatchOpened)
    assert (opened.game, opened.seats) == (house.setting.game, house.setting.seats)
    state = await house.state()
    assert set(opened.options) == set(state.game.options.__struct_fields__)
    assert due(state) == "dealer"


async def test_nobody_joins_before_the_dealer_has_committed_to_his_shares(house: House) -> None:
    """Given an opened match; when a player asks for a seat at once; then he is asked to try again, and later sits."""
    await house.open()

    assert code_of(await house.join(house.players[0])) == Code.NOT_READY

    await house.settle()
    assert isinstance(await last(house), DealerCommitted)
    assert agreed(await house.join(house.players[0])).seat == 0


async def test_a_player_takes_the_seat_he_asks_for_or_the_first_that_is_free(house: House) -> None:
    """Given the dealer is ready; when one asks for seat 1 and another for any; then they sit at 1 and 0."""
    await house.open()
    await house.settle()

    agreed(await house.join(house.players[1]))
    anywhere = Request(id="anywhere", action={**house.players[0].join().action, "seat": None})
    reply = agreed(await house.ask(join_subject(house.match), anywhere))

    assert reply.seat == 0
    assert [event.seat for event in await happened(house) if isinstance(event, SeatJoined)] == [1, 0]


async def test_a_seat_is_given_once(house: House) -> None:
    """Given seat 0 is taken; when another player asks for it, or its holder for one more; then both are refused."""
    await house.open()
    await house.settle()
    agreed(await house.join(house.players[0]))

    assert code_of(await house.join(Player(house.match, 0, "another"))) == Code.SEAT_TAKEN

    once_more = Request(id="once more", action={**house.players[0].join().action, "seat": 1})
    assert code_of(await house.ask(join_subject(house.match), once_more)) == Code.SEAT_TAKEN


async def test_a_full_table_takes_nobody_in(house: House) -> None:
    """Given a full table; when one more player comes; then there is no seat for him."""
    await a_full_table(house)

    assert code_of(await house.join(Player(house.match, 0, "late"))) == Code.MATCH_FULL


# --- the entropy of the deal -------------------------------------------------------------------------------------


async def test_every_seat_is_asked_for_its_entropy_when_all_are_taken(house: House) -> None:
    """Given seats that fill up; when the last is taken; then all are asked to show, and nobody was before."""
    await house.open()
    await house.settle()
    for player in house.players[:-1]:
        agreed(await house.join(player))
        assert asked(await house.state()) == ()
        assert code_of(await house.send(player.seat, player.show())) == Code.WRONG_PHASE

    agreed(await house.join(house.players[-1]))

    state = await house.state()
    assert asked(state) == tuple(range(house.setting.seats))
    verbs = {template["type"] for seat in asked(state) for template in legal(state, seat).also}
    assert verbs == {"show_entropy", "leave"}
    assert table(state).phase == "entropy"


async def test_only_the_entropy_committed_to_is_taken(house: House) -> None:
    """Given a full table; when a seat shows other entropy than it committed to; then it is refused."""
    await a_full_table(house)

    assert code_of(await house.send(0, {"type": "show_entropy", "entropy": bytes(32)})) == Code.BAD_ENTROPY

    agreed(await house.send(0, house.players[0].show()))
    assert code_of(await house.send(0, house.players[0].show())) == Code.ALREADY_DECIDED


async def test_the_cards_come_when_all_entropy_is_shown_and_the_deal_proves_itself(house: House) -> None:
    """Given a full table; when the last entropy is shown; then the dealer deals as share and entropy say."""
    await a_full_table(house)
    for player in house.players:
        assert due(await house.state()) == asked(await house.state())
        agreed(await house.send(player.seat, player.show()))
    before = await house.state()
    assert due(before) == "dealer"

    await house.settle()

    events = await happened(house)
    root = next(event.root for event in events if isinstance(event, DealerCommitted))
    used = next(event for event in events if isinstance(event, ShareUsed))
    assert (used.deal, hashlib.sha256(used.share.value).digest()) == (1, root)
    seed = seed_of(used.share.value, [player.entropy for player in house.players], 1)
    assert await recorded_deck(house) == shuffle(pack_of(before), seed)


async def recorded_deck(house: House) -> Cards:
    """The deck in the order of the first deal."""
    secrets = [secret for entry in await house.entries() for secret in from_log(entry.data).secrets]
    return tuple(next(secret.value for secret in secrets if secret.slot == "deck"))


def pack_of(match: Match) -> Cards:
    """The cards that the game shuffles."""
    packs: list[Cards] = []

    def unshuffled(pack: Cards) -> Cards:
        packs.append(pack)
        return pack

    match.game.deal(match.play, unshuffled)
    return packs[0]


async def test_who_does_not_show_loses_his_seat_and_all_commit_anew(house: House) -> None:
    """Given all but seat 1 have shown; when its time is up; then the seat is free, and no entropy counts any more."""
    await a_full_table(house)
    for player in house.players:
        if player.seat != 1:
            agreed(await house.send(player.seat, player.show()))

    await house.time_out(1)

    assert await last(house) == SeatLost(seat=1)
    state = await house.state()
    assert due(state) == "open"
    assert asked(state) == tuple(seat for seat in range(house.setting.seats) if seat != 1)
    assert code_of(await house.send(1, house.players[1].show())) == Code.BAD_TOKEN
    assert code_of(await house.send(0, house.players[0].show())) == Code.WRONG_PHASE


async def test_after_a_lost_seat_the_match_goes_on_with_a_new_player(house: House) -> None:
    """Given seat 1 was lost; when it is taken anew, the others commit again and all show; then the hand is dealt."""
    await a_full_table(house)
    await house.time_out(1)
    house.players[1] = Player(house.match, 1, "new")

    agreed(await house.join(house.players[1]))
    others = [player for player in house.players if player.seat != 1]
    for player in others:
        agreed(await house.send(player.seat, player.commit()))
        assert code_of(await house.send(player.seat, player.commit())) == Code.ALREADY_DECIDED
    for player in house.players:
        agreed(await house.send(player.seat, player.show()))
    state = await house.settle()

    assert state.deals == 1
    events = await happened(house)
    assert sum(isinstance(event, EntropyCommitted) for event in events) == len(others)
    assert sum(isinstance(event, EntropyShown) for event in events) == house.setting.seats


async def test_a_match_whose_seats_are_left_over_and_over_is_closed(house: House) -> None:
    """Given a full table; when a seat is left or lost, and taken again, without end; then the match is closed."""
    await a_full_table(house)

    for number in range(FREED - 1):
        if number % 2:
            agreed(await house.send(0, {"type": "leave"}))
        else:
            await house.time_out(0)
        while due(state := await house.state()) == "open":
            await house.fill(state)
    agreed(await house.send(0, {"type": "leave"}))

    state = await house.state()
    assert (state.closed, due(state)) == ("unfilled", "none")
    assert code_of(await house.join(Player(house.match, 0, "late"))) == Code.HAND_OVER
    assert state.index < FREED * (2 * house.setting.seats + 3)
    assert audit_entries(await house.entries()).ok


# --- managed seats -----------------------------------------------------------------------------------------------


async def test_the_referee_plays_for_a_managed_seat_at_once(house: House) -> None:
    """Given seat 0 is waited for; when it is managed; then the referee answers for it until nothing is asked of it."""
    state = await house.seat_all()
    seat = asked(state)[0]

    agreed(await house.send(seat, {"type": "manage", "on": True}))

    assert await last(house) == SeatManaged(seat=seat, on=True)
    assert due(await house.state()) == "referee"
    state = await house.settle()
    assert due(state) != "referee"
    assert seat not in asked(state)
    assert table(state).places[seat].managed


async def test_a_managed_seat_takes_over_again(house: House) -> None:
    """Given a managed seat; when it says that it is back; then it is waited for like any other."""
    state = await house.seat_all()
    seat = asked(state)[0]
    agreed(await house.send(seat, {"type": "manage", "on": True}))

    agreed(await house.send(seat, {"type": "manage", "on": False}))

    state = await house.state()
    assert seat in asked(state)
    assert due(state) == asked(state)
    assert not table(state).places[seat].managed


async def test_a_seat_alone_cannot_make_the_log_as_long_as_it_likes(house: House) -> None:
    """Given a seat; when it says over and over who plays for it; then that ends, and begins anew with its answer."""
    state = await house.seat_all()
    seat = asked(state)[0]
    manages = [as_action(Manage(on=on)) for on in (True, False)] * SWITCHES

    taken = [isinstance(await house.send(seat, action), Accepted) for action in manages]

    assert taken == [number < SWITCHES for number in range(len(manages))]
    state = await house.state()
    assert {template["type"] for template in legal(state, seat).also}.isdisjoint({"manage"})
    assert code_of(await house.send(seat, manages[0])) == Code.ALREADY_DECIDED
    agreed(await house.send(seat, legal(state, seat).choices[0]))
    if due(state := await house.settle()) != "none" and not state.game.veils(state.play):
        agreed(await house.send(seat, manages[0]))
    assert audit_entries(await house.entries()).ok


async def test_a_managed_seat_may_always_return(house: House) -> None:
    state = await house.seat_all()
    seat = asked(state)[0]
    agreed(await house.send(seat, {"type": "manage", "on": False}))
    for on in (True, False, True):
        agreed(await house.send(seat, {"type": "manage", "on": on}))

    assert {"type": "manage", "on": False} in legal(await house.state(), seat).also
    agreed(await house.send(seat, {"type": "manage", "on": False}))

    assert code_of(await house.send(seat, {"type": "manage", "on": True})) == Code.ALREADY_DECIDED


async def test_a_match_whose_seats_are_all_managed_is_played_to_its_end(house: House) -> None:
    """Given the first hand; when all seats are managed; then nobody is asked any more until the match is over."""
    await house.seat_all()

    for seat in range(house.setting.seats):
        if due(await house.settle()) != "none":
            await house.send(seat, {"type": "manage", "on": True})

    state = await house.settle()
    assert due(state) == "none"
    assert table(state).over


# --- the end -----------------------------------------------------------------------------------------------------


async def test_what_was_hidden_is_opened_when_the_rules_say_so_and_not_before(house: House) -> None:
    """Given a whole match; when a hand, or the match, is over; then its commits are open, each once, in order."""
    await play(house, Stream(b"reveal"), wild=False)

    revealed = [event for event in await happened(house) if isinstance(event, HandRevealed)]
    state = await house.state()
    ends = [0, *(event.last for event in revealed)]
    assert [event.first - 1 for event in revealed] == ends[:-1]
    assert len(revealed) == {"hand": state.deals, "match": 1, "never": 0}[state.opened.reveal]
    assert ends[-1] == (0 if state.opened.reveal == "never" else state.index - 1)


async def test_after_the_end_nothing_is_listed_and_nothing_is_taken(house: House) -> None:
    """Given a match that is over; when a seat still wants something; then it is told that the hand is over."""
    await play(house, Stream(b"over"), wild=False)

    state = await house.state()
    for seat in range(house.setting.seats):
        assert legal(state, seat) == Legal()
        assert code_of(await house.send(seat, {"type": "manage", "on": True})) == Code.HAND_OVER
