"""Child processes that do not outlive their parent, however it ends."""

import asyncio
import contextlib
import os
import shutil
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from signal import SIGKILL, Signals

from services.runtime import tether

LOG_BYTES = 16 * 1024 * 1024
"""How large a log becomes before another is begun."""


def turn_over(log: Path) -> None:
    """Begin a log anew that has become too large; what stood in it is then in the file `.1` beside it.

    Processes go on writing to its end, as `spawn` has opened it. What is written in this very moment may be lost.
    """
    if log.stat().st_size > LOG_BYTES:
        shutil.copyfile(log, log.with_name(f"{log.name}.1"))
        os.truncate(log, 0)


def tethered(command: Sequence[str], *, signal: Signals) -> list[str]:
    """The command line that runs `command` with `signal` sent to it when this process ends.

    The command keeps the process id. Only Linux can do this; elsewhere it is `command` as it is.
    """
    if sys.platform != "linux":
        return list(command)
    # Isolated, because the folder of the script holds modules named as those of the standard library.
    return [sys.executable, "-I", "-S", tether.__file__, str(int(signal)), str(os.getpid()), *command]


async def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    pass_fds: Iterable[int] = (),
    at_parent_death: Signals = SIGKILL,
) -> Process:
    """Start `command` in a session of its own, so that a Ctrl-C in the terminal reaches the parent only.

    `env` is its whole environment (None: the parent's), `log` the file its output is added to (None: the parent's
    output). The kernel counts the end of the calling thread as the end of the parent: call it from the thread of the
    main event loop. Raises OSError when the log cannot be opened.
    """
    with contextlib.ExitStack() as stack:
        output = None
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            output = stack.enter_context(log.open("ab"))
        return await asyncio.create_subprocess_exec(
            *tethered(command, signal=at_parent_death),
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            env=env,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )


async def end(process: Process, *, grace: float) -> None:
    """End a process of `spawn`: SIGTERM, and after `grace` seconds SIGKILL to its whole process group."""
    try:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await process.wait()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, SIGKILL)
    await process.wait()
