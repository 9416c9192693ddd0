"""What a process of the tests needs of the machine."""

import subprocess
from pathlib import Path


def resident(pid: int) -> float:
    """The resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status")
    if status.is_file():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024
    return int(subprocess.check_output(["/bin/ps", "-o", "rss=", "-p", str(pid)])) / 1024
