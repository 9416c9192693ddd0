"""Same seed, same log: whatever the machine says of hash seeds, languages and time zones."""

import asyncio
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.log import Entry
from services.simulate import Simulation
from tests.house import SETTINGS, Setting

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(range(32))


def log_of(setting: Setting, seed: bytes) -> list[Entry]:
    """The log of a simulated match."""
    simulation = Simulation(setting.game, setting.options, seats=setting.seats, seed=seed)
    return asyncio.run(simulation.run())


def fingerprints() -> list[str]:
    """What tells the simulated match of each setting from any other."""
    return [hashlib.sha256(repr(log_of(setting, SEED)).encode()).hexdigest() for setting in SETTINGS]


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"}, id="plain"),
        pytest.param({"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}, id="elsewhere"),
        pytest.param(
            {"PYTHONHASHSEED": "4294967295", "LC_ALL": "zh_CN.GB18030", "PYTHONOPTIMIZE": "2"}, id="optimised"
        ),
    ],
)
def test_a_simulated_match_is_the_same_bytes_everywhere(environment: dict[str, str]) -> None:
    script = "from tests.games.test_determinism import fingerprints; print(*fingerprints())"
    child = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.split() == fingerprints()


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_another_seed_gives_another_match(setting: Setting) -> None:
    """The comparison can fail."""
    assert log_of(setting, SEED) != log_of(setting, bytes(32))
