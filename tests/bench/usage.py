"""CPU seconds of this process and all that it has started, from /proc (Linux)."""

import os
from pathlib import Path

Usage = dict[str, float]
"""CPU seconds by the name of the process."""

TICKS = os.sysconf("SC_CLK_TCK")


def usage() -> Usage:
    """What every process has used so far."""
    used = Usage()
    for pid in [os.getpid(), *_children(os.getpid())]:
        name, seconds = _name(pid), _seconds(pid)
        used[name] = used.get(name, 0.0) + seconds
    return used


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *_children(child)]
    return found


def _name(pid: int) -> str:
    if pid == os.getpid():
        return "seats"
    words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").decode().split("\0")
    if "run" in words:
        return words[words.index("run") + 1]
    return "nats-server" if "nats-server" in words[0] else "bare referee"


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
