"""Run a command that the kernel ends when the process that started it ends. A script of its own (Linux).

Many such processes share a machine, and each message wakes one. So none of them takes the processor from another that
is at work (SCHED_BATCH): all are fed more at once, and a third more gets done.
"""

import ctypes
import os
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Take `SIGNAL PARENT COMMAND…` and become COMMAND, to which SIGNAL is sent when PARENT ends."""
    signal, parent, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal))
    # The parent may have ended before the kernel knew whom to tell.
    if os.getppid() != int(parent):
        sys.exit(1)
    with suppress(OSError):  # in some containers nobody may; then it is only slower
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
