"""Run a command that the kernel ends when the process that started it ends. A script of its own (Linux).

Many such processes share a machine, and each message wakes one. So none of them takes the processor from another that
is at work (SCHED_BATCH), which may keep it for longer than is usual: all are fed more at once and find more of what
they need in the caches, and a third more gets done.
"""

import ctypes
import os
import struct
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1

SLICE = 10_000_000
"""Nanoseconds for which a process may keep a processor that others want, too; from Linux 6.12 on."""

SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}
"""The number of the system call, which neither Python nor every C library knows by its name."""


SCHED_ATTR = struct.Struct("=IIQiIQQQ")
"""Its argument: size, policy, flags, nice, priority, runtime (the slice), deadline and period."""


def main() -> None:
    """Take `SIGNAL PARENT COMMAND…` and become COMMAND, to which SIGNAL is sent when PARENT ends."""
    signal, parent, *command = sys.argv[1:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, int(signal))
    # The parent may have ended before the kernel knew whom to tell.
    if os.getppid() != int(parent):
        sys.exit(1)
    be_patient(libc)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


def be_patient(libc: ctypes.CDLL) -> None:
    """Take the processor from none that is at work, and keep it for long; so do those that are started from now on."""
    with suppress(OSError):  # in some containers nobody may; then it is only slower
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    if (number := SCHED_SETATTR.get(os.uname().machine)) is not None:  # where it fails, the slice stays as it is
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        libc.syscall(number, 0, SCHED_ATTR.pack(SCHED_ATTR.size, os.SCHED_BATCH, 0, nice, 0, SLICE, 0, 0), 0)


if __name__ == "__main__":
    main()
