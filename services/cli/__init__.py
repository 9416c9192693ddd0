"""The command line: one entry point, `fairdeal`, for players, operators and auditors."""

import os
import signal
import sys


def main() -> None:
    """The entry point. Ctrl-C ends it with exit code 130 also while the commands are still being imported."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # else whoever started us has it ignored
        signal.signal(signal.SIGINT, _end)
    from services.cli import app  # noqa: PLC0415 - it takes a third of a second

    signal.signal(signal.SIGINT, before)
    try:
        app.main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # what was to be written could not be, and would be tried again at a usual end
        sys.stderr.write(f"{error}\n")
        os._exit(1)


def _end(_number: int, _frame: object) -> None:
    """No exception: it would come out of whatever is being imported, or be lost there."""
    os._exit(130)
