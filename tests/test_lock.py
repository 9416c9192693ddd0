"""The lock: complete, hashed, and free of the place where it was made."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, flags=re.MULTILINE))


def declared() -> list[str]:
    """Every requirement of pyproject.toml: runtime, development and build."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = config["project"]
    dev = project["optional-dependencies"]["dev"]
    return sorted({*project["dependencies"], *dev, *config["build-system"]["requires"]})


@pytest.mark.parametrize("text", declared())
def test_the_lock_pins_every_declared_requirement_within_its_bounds(text: str) -> None:
    """`make lock` was run after the last change of pyproject.toml."""
    requirement = Requirement(text)
    assert requirement.name in PINS
    assert requirement.specifier.contains(PINS[requirement.name])


def test_every_pin_has_a_hash() -> None:
    """What is installed is what was locked, byte for byte."""
    entries = re.split(r"^(?=[a-z0-9-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) == len(PINS) > 0
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_lock_names_no_host_and_no_folder() -> None:
    """The lock holds for any index that serves the same files."""
    assert re.findall(r"\S*://\S*|^-.*|(?<=\s)/\S+", LOCK, flags=re.MULTILINE) == []
