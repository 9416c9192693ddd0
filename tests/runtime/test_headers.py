"""Headers are read as nats-py reads them, only sooner."""

from hypothesis import given
from hypothesis import strategies as st
from nats.aio.client import Client

from services.runtime.app import header_lines

NAMES = st.from_regex(r"[!-9;-~]+", fullmatch=True)
VALUES = st.text(st.characters(exclude_categories=["Cc", "Cs"]))


def parse(raw: bytes) -> dict[str, str]:
    """What nats-py makes of it; the name of its reader is the one that is replaced."""
    return Client._parse_header_lines(raw)  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001


@given(st.dictionaries(NAMES, VALUES))
def test_headers_are_those_that_nats_py_reads(headers: dict[str, str]) -> None:
    raw = b"".join(f"{name}: {value}\r\n".encode() for name, value in headers.items()) + b"\r\n"
    assert header_lines(raw) == parse(raw)


@given(st.binary())
def test_no_bytes_stop_the_reader(raw: bytes) -> None:
    assert all(":" not in name for name in header_lines(raw))
