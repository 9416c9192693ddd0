"""The deal that can be proved, against vectors that other implementations can use too."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import PACK
from services.games.shuffle import SHARES, Stream, entropy_commitment, follows, seed_of, share, shuffle

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "shuffle.json").read_text("utf-8"))


def test_the_share_chain_is_as_written_down() -> None:
    for vector in VECTORS["shares"]:
        assert share(bytes.fromhex(vector["secret"]), vector["match"], vector["deal"]).hex() == vector["share"]


def test_the_seed_is_as_written_down() -> None:
    for vector in VECTORS["seeds"]:
        entropy = [bytes.fromhex(text) for text in vector["entropy"]]
        assert seed_of(bytes.fromhex(vector["share"]), entropy, vector["deal"]).hex() == vector["seed"]


def test_the_stream_is_as_written_down() -> None:
    for vector in VECTORS["streams"]:
        stream = Stream(bytes.fromhex(vector["seed"]))
        assert [stream.below(vector["below"]) for _ in vector["numbers"]] == vector["numbers"]


def test_the_shuffle_is_as_written_down() -> None:
    for vector in VECTORS["shuffles"]:
        assert " ".join(shuffle(PACK, bytes.fromhex(vector["seed"]))) == vector["deck"]


def test_entropy_is_committed_to_as_written_down() -> None:
    for vector in VECTORS["entropy_commitments"]:
        key, entropy = bytes.fromhex(vector["key"]), bytes.fromhex(vector["entropy"])
        assert entropy_commitment(vector["match"], key, entropy).hex() == vector["commitment"]


def test_every_share_proves_itself_against_the_one_before() -> None:
    secret, match = b"secret", "M" * 26
    for deal in (1, 2, 63, 64, 65, 4095, SHARES):
        assert hashlib.sha256(share(secret, match, deal)).digest() == share(secret, match, deal - 1)
        assert follows(share(secret, match, deal), share(secret, match, deal - 1))
        assert not follows(share(secret, match, deal - 1), share(secret, match, deal))


def test_there_are_no_shares_beyond_the_end_of_the_chain() -> None:
    for deal in (-1, SHARES + 1):
        with pytest.raises(ValueError, match="deals"):
            share(b"secret", "M" * 26, deal)


@given(st.binary(min_size=32, max_size=32))
def test_a_shuffle_keeps_every_card(seed: bytes) -> None:
    assert Counter(shuffle(PACK, seed)) == Counter(PACK)


def test_every_card_comes_to_every_place_about_as_often() -> None:
    """52·52 places over 5,200 shuffles, 100 expected in each: chi-square stays within five deviations of its mean."""
    counts = Counter[tuple[str, int]]()
    for number in range(5200):
        counts.update((card, place) for place, card in enumerate(shuffle(PACK, number.to_bytes(32, "big"))))
    chi_square = sum((counts[card, place] - 100) ** 2 / 100 for card in PACK for place in range(52))
    assert abs(chi_square - 51 * 51) < 5 * (2 * 51 * 51) ** 0.5


@given(st.integers(1, 2**32), st.binary(min_size=1, max_size=8))
def test_a_number_is_below_its_bound(bound: int, seed: bytes) -> None:
    assert 0 <= Stream(seed).below(bound) < bound
