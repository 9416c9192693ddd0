"""Ctrl-C in the very beginning of a command, before it has got so far that anything could go wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import services

ROOT = Path(services.__file__).parents[1]

COMMAND = """
import os, signal, sys

module = sys.argv.pop()

class Hook:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Hook())
from services.cli import main
sys.argv[0:1] = ["fairdeal"]
main()
"""


def interrupted(*arguments: str, module: str) -> subprocess.CompletedProcess[str]:
    """A command that is sent SIGINT when it is about to import the module."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, module],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("module", ["services.cli.app", "typer", "nats", "schemas.cards", "services.simulate"])
def test_ctrl_c_while_modules_are_imported_ends_without_a_traceback(module: str) -> None:
    ended = interrupted("games", module=module)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_ctrl_c_while_a_command_sets_out_ends_without_a_traceback() -> None:
    ended = interrupted("run", "callout", module="services.callout.app")
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
