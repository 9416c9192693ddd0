"""Formats of other projects that logs are made from, and written in."""
