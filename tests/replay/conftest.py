"""One match of two hands of Gongzhu, played by chance, for all that reads logs."""

import asyncio

import pytest

from replay.archive import Archive
from replay.fold import archive_of
from services.runtime.log import Entry
from services.simulate import Simulation

OPTIONS = {"hands_limit": 2, "opening_must_play": False}


@pytest.fixture(scope="session")
def entries() -> list[Entry]:
    """The messages stored of the match."""
    return asyncio.run(Simulation("gongzhu", OPTIONS, seats=4, seed=b"two hands".ljust(32)).run())


@pytest.fixture(scope="session")
def log(entries: list[Entry]) -> Archive:
    """The whole log of the match, with all secrets."""
    archive, passed_over = archive_of(entries)
    assert passed_over == ()
    return archive
