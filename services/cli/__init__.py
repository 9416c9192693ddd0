"""The command line: one entry point, `fairdeal`, for players, operators and auditors."""

from services.cli.app import main

__all__ = ["main"]
