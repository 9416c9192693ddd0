"""So that a child process runs the same commands: `python -m services.cli run dealer`."""

from services.cli import main

main()
