"""Run a command that the kernel ends when the process that started it ends. A script of its own (Linux)."""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Take `SIGNAL PARENT COMMAND…` and become COMMAND, to which SIGNAL is sent when PARENT ends."""
    signal, parent, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal))
    # The parent may have ended before the kernel knew whom to tell.
    if os.getppid() != int(parent):
        sys.exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
