"""Other worlds that look the same to one viewer: what is hidden from him is replaced, all that he may see is kept.

The public part of every commit stays, byte for byte; so do the secrets addressed to the viewer, and those that are
open to everybody by then. Every other secret gets another value of the same shape:

- Of a card list whose length is public (a hand, a deck) the cards that the viewer has not seen are exchanged with
  one another, all over the deal, by one permutation; so the other hands stay a deal of the same deck. Seen are the
  cards of his own secrets and those that stand in public parts of this deal up to the commit in question: a world is
  made for one commit, and what is played later may lie anywhere in it. Only up to that commit is it compared.
- A value whose size or kind is hidden too (a sealed answer, the seat of a sealed leader) becomes another one that was
  recorded in a slot of that name anywhere in the match; a number may become that of any seat but the viewer's own, who
  would know.
- Bytes become other bytes.

Commitments are not made anew: a fold checks form and chain, which are those of the public part.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from schemas.cards import Seat
from schemas.codec import Message, Secret, may_open, sealed_in
from services.games.shuffle import Stream
from services.runtime.log import Entry
from tests.house import Played

Viewer = Seat | Literal["rail"]

CARD = re.compile(r"([2-9TJQKA][shdc]|X[rb])\Z")


def replaced(match: Played, viewer: Viewer, upto: int, dice: Stream) -> list[Entry]:
    """The log up to commit `upto`, with all replaced that is still hidden from the viewer after it."""
    entries = list(match.entries[:upto])
    revealed = match.states[upto - 1].revealed
    for commits in _deals(match.messages[:upto]):
        exchange = _exchange(commits, viewer, dice)
        for message in commits:
            index = message.commit.index
            if index > revealed and message.secrets:
                secrets = [_other(match, message, secret, viewer, exchange, dice) for secret in message.secrets]
                data = msgspec.msgpack.encode([message.public, secrets, message.signature])
                entries[index - 1] = entries[index - 1]._replace(data=data)
    return entries


def _deals(messages: Sequence[Message]) -> list[list[Message]]:
    """The commits, a new list from each deal on."""
    deals: list[list[Message]] = [[]]
    for message in messages:
        if any(secret.slot == "deck" for secret in message.secrets):
            deals.append([])
        deals[-1].append(message)
    return deals


def _exchange(commits: Iterable[Message], viewer: Viewer, dice: Stream) -> dict[str, str]:
    """Each card that the viewer has not seen, and the one that takes its place."""
    seen, unseen = set[str](), set[str]()
    for message in commits:
        seen.update(cards_in(msgspec.msgpack.decode(message.public)))
        for secret in message.secrets:
            (seen if may_open(secret.audience, viewer) else unseen).update(cards_in(secret.value))
    cards = sorted(unseen - seen)
    others = list(cards)
    for i in range(len(others) - 1, 0, -1):
        j = dice.below(i)  # never itself: each card goes to another place (Sattolo's shuffle)
        others[i], others[j] = others[j], others[i]
    return dict(zip(cards, others, strict=True))


def cards_in(value: Any) -> Iterator[str]:
    """Every card that stands anywhere in a value."""
    match value:
        case str() if CARD.match(value):
            yield value
        case dict():
            for member in value.values():
                yield from cards_in(member)
        case list():
            for member in value:
                yield from cards_in(member)
        case _:
            pass


def _other(
    match: Played, message: Message, secret: Secret, viewer: Viewer, exchange: dict[str, str], dice: Stream
) -> Secret:
    if may_open(secret.audience, viewer):
        return secret
    sealed = next(sealed for sealed in sealed_in(message.commit) if sealed.slot == secret.slot)
    value = secret.value
    if sealed.n is not None:
        value = [exchange.get(card, card) for card in value]
    elif isinstance(value, bytes):
        value = dice.block()[: len(value)]
    elif isinstance(value, int):
        others = [seat for seat in range(match.setting.seats) if seat not in (value, viewer)]
        value = others[dice.below(len(others))]
    else:
        known = recorded(match, secret.slot)
        value = known[dice.below(len(known))]
    return Secret(secret.slot, secret.audience, secret.salt, value)


def recorded(match: Played, slot: str) -> list[Any]:
    """All different values that the log has in a slot of this name, in order."""
    values = {
        msgspec.msgpack.encode(secret.value)
        for message in match.messages
        for secret in message.secrets
        if secret.slot == slot
    }
    return [msgspec.msgpack.decode(value) for value in sorted(values)]
