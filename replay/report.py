"""What an audit found, as data and as text; neither names a hidden value."""

from enum import StrEnum
from typing import Any, Literal

import msgspec
from msgspec import Struct

SHOWN = 100
"""So many findings are told in words; the data has all."""


class Kind(StrEnum):
    """What is wrong at an index."""

    FORM = "form"  # not written as a message, header or trailer is
    NEWER = "newer"  # an event or rules that this version does not know
    MATCH = "match"  # a commit of another match
    INDEX = "index"  # commits are missing, added or out of order
    CHAIN = "chain"  # this commit, or the link of the next one to it, was changed
    TRAILER = "trailer"  # the file does not end where its trailer says
    ENTITLEMENT = "entitlement"  # not the commit of the role whose turn it was, or on another subject
    SIGNATURE = "signature"
    CAUSE = "cause"  # two commits for one command or turn
    OPENING = "opening"  # a secret that does not open its commitment, or is missing though it was revealed
    AUDIENCE = "audience"  # a secret that others may open than the rules say
    SHARE = "share"  # not the next share of the dealer's chain
    ENTROPY = "entropy"  # not the entropy that was committed to
    DECISION = "decision"  # decided again, something else comes out


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong: at which commit (0: the header), and in which stored message where that is known."""

    index: int
    kind: Kind
    text: str
    sequence: int | None = None


class Report(Struct, frozen=True, kw_only=True):
    """The verdict on a log.

    Attributes:
        viewer: whose file it is; `auditor` also for a log read from the stream.
        commits: how many were read, without those passed over.
        decided: how many decisions were made again.
        undecided: why the others were not; empty where all were.
        deal: `protocol` (proved from shares and entropy), `given` (not provable), empty where no deal was checked.
        passed_over: how many stored messages are not the valid next commit; each has a finding.
        ended: whether the match is over; None where it was not followed to the end.
        standing: the public facts of each seat at the end (totals, stacks), as the game names them.
    """

    ok: bool
    match: str
    game: str
    viewer: str
    commits: int
    decided: int
    undecided: str
    deal: Literal["protocol", "given", ""]
    passed_over: int
    ended: bool | None
    standing: tuple[dict[str, Any], ...]
    findings: tuple[Finding, ...]


def as_text(report: Report) -> str:
    """The report for people, one fact a line."""
    deals = {"protocol": "deals from shares and entropy", "given": "deal not provable", "": "no deal checked"}
    ends = {True: "ended", False: "still running", None: "end not followed"}
    lines = [
        f"match {report.match}: {report.game}, as {report.viewer} may see it" if report.match else "match not known",
        f"{_count(report.commits, 'commit')}, {report.decided} decided again"
        + (f"; {report.undecided}" if report.undecided else ""),
        *([f"{_count(report.passed_over, 'message')} passed over"] if report.passed_over else []),
        f"{deals[report.deal]}; {ends[report.ended]}",
        *(f"seat {seat}: {_facts(facts)}" for seat, facts in enumerate(report.standing)),
        "ok" if report.ok else _count(len(report.findings), "finding"),
        *map(_line, report.findings[:SHOWN]),
        *([f"  … and {len(report.findings) - SHOWN} more"] if len(report.findings) > SHOWN else []),
    ]
    return "\n".join(lines) + "\n"


def _facts(facts: dict[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {msgspec.json.encode(value).decode()}" for name, value in facts.items())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _line(finding: Finding) -> str:
    stored = "" if finding.sequence is None else f" (message {finding.sequence})"
    where = f"commit {finding.index}" if finding.index else "header"
    return f"  {where}{stored}: {finding.kind}: {finding.text}"
