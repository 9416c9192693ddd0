"""Who may see what (piquet §8)."""

from schemas.codec import Viewer
from schemas.piquet import Exchanged, HandDealt, HandShown
from schemas.sealed import Hidden
from services.games.piquet import GAME
from tests.games.piquet.test_exchange import BLANK, CARTE_BLANCHE, ELDER, TALON, YOUNGER, discards, given
from tests.games.scenes import Scene


def pile(table: Scene, seat: int, name: str, viewer: Viewer) -> Hidden[tuple[str, ...]] | None:
    """A hidden pile of a seat, as a viewer is shown it."""
    place = table.seen(viewer).places[seat]
    return next((each.hidden for each in place.piles if each.name == name), None)


def test_the_deck_and_the_talon_are_open_to_nobody_and_a_hand_to_its_seat() -> None:
    (dealt,) = GAME.deal(GAME.begin(GAME.open({}, 2), 2), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    assert (dealt.deck.audience, dealt.deck.n, dealt.talon.audience, dealt.talon.n) == ((), 32, (), 8)
    assert [(hand.audience, hand.n) for hand in dealt.hands] == [((0,), 12), ((1,), 12)]


def test_what_is_exchanged_is_told_by_number_only_and_the_action_is_sealed() -> None:
    table = given()
    (elder,) = table.act(ELDER, discards("Qd Kd"))
    younger, _ = table.act(YOUNGER, discards("7s"))
    for event, seat, number in ((elder, ELDER, 2), (younger, YOUNGER, 1)):
        assert isinstance(event, Exchanged)
        assert (event.discards.audience, event.discards.n) == ((seat,), number)
        assert (event.drawn.audience, event.drawn.n) == ((seat,), number)
    assert GAME.seals(table.state, ELDER, discards("Qd"))
    assert not GAME.seals(table.state, ELDER, CARTE_BLANCHE)


def test_elder_looks_at_those_of_his_five_cards_that_he_leaves() -> None:
    for number in (1, 3, 5):
        table = given()
        (event, *_) = table.act(ELDER, {"type": "discard", "cards": ["Ks", "Qs", "Js", "Ah", "Kh"][:number]})
        assert isinstance(event, Exchanged)
        assert (event.seen.value, event.seen.audience) == (tuple(TALON.split()[number:5]), (ELDER,))
        left = pile(table, ELDER, "seen", ELDER)
        assert (left.value if left else ()) == tuple(TALON.split()[number:5])
        others: tuple[Viewer, ...] = (YOUNGER, "rail")
        for other in others:
            hidden = pile(table, ELDER, "seen", other)
            assert hidden is None or (not hidden.is_open and hidden.n == 5 - number)
        *_, younger, _ = (event, *table.act(YOUNGER, discards("7s")))
        assert isinstance(younger, Exchanged)
        assert younger.seen.n == 0


def test_discards_and_talon_are_shown_to_nobody_else() -> None:
    table = given()
    table.act(ELDER, discards("Qd"))
    everybody: tuple[Viewer, ...] = (ELDER, YOUNGER, "rail")
    for viewer in everybody:
        gone, talon = pile(table, ELDER, "discards", viewer), table.seen(viewer).piles[0].hidden
        assert gone is not None
        assert talon is not None
        assert (gone.is_open, gone.n) == (viewer == ELDER, 1)
        assert (talon.is_open, talon.n) == (False, 7)


def test_an_open_hand_stays_open_drawn_cards_too_and_a_flashed_one_is_seen_once() -> None:
    for show in ("open", "flash"):
        table = given(carte_blanche_show=show)
        table.act(ELDER, discards("Qd"))
        (shown, _) = table.act(YOUNGER, CARTE_BLANCHE)
        assert shown == HandShown(seat=YOUNGER, cards=tuple(BLANK.split()), open=show == "open")
        (_, *after) = table.act(YOUNGER, discards("7s"))
        again = [event for event in after if isinstance(event, HandShown)]
        seen = table.seen("rail").places[YOUNGER].hand
        assert seen.is_open == (show == "open")
        if show == "open":
            assert set(again[0].cards) == {*BLANK.split(), "8d"} - {"7s"} == set(seen.value)
        else:
            assert again == []
        assert not table.seen("rail").places[ELDER].hand.is_open


def test_a_pass_looks_the_same_whether_something_was_sunk_or_not() -> None:
    """With sequences and without, what all see of a pass is one and the same."""
    frames = []
    without = "As Ts 8s 7d 9d Th 7h Jd Ac 9c 7c Ad"
    left = {*BLANK.split(), *TALON.split()} - {*without.split()}
    for younger, talon in ((BLANK, TALON), (without, " ".join(sorted(left)))):
        table = given(younger=younger, talon=talon)
        table.does("discard", cards=["Qd"])
        table.does("discard", cards=[])
        frames.append([table.does("pass") for _ in range(6)])
    assert frames[0] == frames[1]
