"""The hands of a match as PHH, with the cards that one viewer may see; the others stand as `??`."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import cast

from msgspec import Struct

from replay.archive import Archive, viewer_text
from replay.formats.phh.cards import UNKNOWN
from schemas.cards import Cards
from schemas.codec import Viewer, may_open
from schemas.events import Event, MatchOpened
from schemas.poker import Acted, HandDealt, HandScored, HandsMucked, HandsShown, StreetDealt
from schemas.refusals import Code
from schemas.sealed import Sealed
from services.games.game import Refused
from services.games.match import Match, apply, begin
from services.games.seven_card_stud import options as stud
from services.games.shared.poker.state import Hand, hand_of
from services.games.texas_holdem import options as holdem

Fields = dict[str, object]

MOST_BETS = 4
"""In a round, where there is a limit, that PokerKit reads."""


class _Viewing(Struct, frozen=True):
    """Whose eyes the hands are written with."""

    viewer: Viewer
    as_held: bool

    def cards(self, sealed: Sealed[Cards]) -> str:
        """The cards as far as the viewer may see them."""
        if sealed.is_open and (self.as_held or may_open(sealed.audience, self.viewer)):
            return "".join(sealed.value)
        return UNKNOWN * (sealed.n or 0)


def written(archive: Archive, viewer: Viewer) -> list[str]:
    """Each hand that was played as the text of a .phh file.

    Raises Refused: unsupported_variant where PHH has no code for the game or its options, or a hand cannot be read
    back. Raises ValueError where the archive cannot tell what this viewer may see.
    """
    if archive.viewer not in (viewer, "auditor"):
        raise ValueError(f"a file of {viewer_text(archive.viewer)} cannot tell what {viewer_text(viewer)} may see")
    viewing = _Viewing(viewer, viewer == archive.viewer)
    return [_text(fields) for fields in _hands(archive, viewing)]


def as_file(hands: list[str]) -> str:
    """One hand as a .phh file has it, several as a .phhs file."""
    if len(hands) == 1:
        return hands[0]
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, start=1))


def _hands(archive: Archive, viewing: _Viewing) -> Iterator[Fields]:
    match: Match | None = None
    fields: Fields = {}
    actions: list[str] = []
    for message in archive.messages:
        for event in message.commit.events:
            if isinstance(event, MatchOpened):
                match = begin(message.commit.match, event)
                _check(match)
            if match is None:
                return
            if isinstance(event, HandDealt):
                fields, actions = _header(match, event), []
            faces = hand.faces if (hand := hand_of(match.play)) else ()
            match = apply(match, (event,))
            if (hand := hand_of(match.play)) is not None and fields:
                actions += _lines(event, hand, faces, viewing)
            if isinstance(event, HandScored) and hand is not None:
                if fields["variant"] != "NT" and _most_bets(actions) > MOST_BETS:
                    raise Refused(Code.UNSUPPORTED_VARIANT, f"over {MOST_BETS} bets in a round cannot be read back")
                yield fields | {"actions": actions, "finishing_stacks": [event.stacks[seat] for seat in hand.seats]}


def _check(match: Match) -> None:
    name, options = match.game.name, match.play.options
    known = name == "texas_holdem" or (
        name == "seven_card_stud"
        and options.structure == "limit"
        and options.ranking == "standard"
        and not options.open_pair_big_bet
        and stud.bring_in(options) < options.small_bet
    )
    if not known:
        raise Refused(Code.UNSUPPORTED_VARIANT, f"PHH has no code for {name} with these options")


def _most_bets(actions: Iterable[str]) -> int:
    """The most bets and raises between two deals, all-ins of every size among them."""
    most = bets = 0
    for action in actions:
        bets = 0 if action.startswith("d ") else bets + (" cbr " in action)
        most = max(most, bets)
    return most


def _header(match: Match, event: HandDealt) -> Fields:
    """What stands before the actions; players are counted from left of the button."""
    options, seats, stacks = match.play.options, event.seats, match.play.stacks
    fields: Fields = {"variant": "NT" if options.structure == "no_limit" else "FT"}
    antes = [options.ante] * len(seats)
    if match.game.name == "seven_card_stud":
        bring_in = stud.bring_in(options)
        fields |= {"variant": "F7S", "ante_trimming_status": True, "antes": antes, "bring_in": bring_in}
        bets = {"small_bet": options.small_bet, "big_bet": stud.big_bet(options)}
    else:
        bets = {"small_bet": holdem.small_bet(options), "big_bet": holdem.big_bet(options)}
        big = options.big_blind_ante
        blinds = {event.positions.small: options.small_blind, event.positions.big: options.big_blind}
        order = [event.positions.small, event.positions.big] if len(seats) == 2 else seats
        antes = [options.ante + big * (seat == event.positions.big) for seat in order]
        posted = [blinds.get(seat, 0) for seat in order]
        fields |= {"ante_trimming_status": not big, "antes": antes, "blinds_or_straddles": posted}
    fields |= {"min_bet": options.big_blind} if options.structure == "no_limit" else bets
    return fields | {
        "starting_stacks": [stacks[seat] for seat in seats],
        "_match": match.id,
        "hand": event.hand_no,
    }


def _lines(event: Event, hand: Hand, faces: tuple[Cards, ...], viewing: _Viewing) -> Iterator[str]:
    """An event as PHH says it; nothing where it says nothing. `faces` are the cards turned up before it."""
    player = {seat: f"p{place}" for place, seat in enumerate(hand.seats, start=1)}
    match event:
        case HandDealt():
            for seat, down, up in zip(event.seats, event.down, event.up or repeat(()), strict=False):
                yield f"d dh {player[seat]} {viewing.cards(down)}{''.join(up)}"
        case StreetDealt(board=board) if board:
            if any(hand.up):
                raise Refused(Code.UNSUPPORTED_VARIANT, "a hand with a community card cannot be read back")
            yield f"d db {''.join(board)}"
        case StreetDealt():
            cards = event.up or map(viewing.cards, event.down)
            yield from (f"d dh {player[seat]} {card}" for seat, card in zip(event.seats, cards, strict=True))
        case Acted():
            yield f"{player[event.seat]} {_act(event)}"
        case HandsShown():
            fresh = [each for each in event.hands if each.cards != faces[each.seat]]
            yield from (f"{player[each.seat]} sm {_whole(each.cards, hand.up[each.seat])}" for each in fresh)
        case HandsMucked():
            yield from (f"{player[seat]} sm" for seat in event.seats)
        case _:
            pass


def _act(event: Acted) -> str:
    if event.verb == "fold":
        return "f"
    if event.verb == "bring_in":
        return "pb"
    return "cc" if event.level is None else f"cbr {event.to}"


def _whole(down: Cards, up: Cards) -> str:
    """The cards of a seat in dealing order."""
    return "".join(down[:2] + up + down[2:])


def _text(fields: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_value(value)}\n" for name, value in fields.items())


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}'"
        case list():
            return f"[{', '.join(map(_value, cast(list[object], value)))}]"
        case _:
            return str(value)
