"""A MessagePack stream, cut into its objects without reading what is in them."""

_FIXED = (
    {0xC0: 1, 0xC2: 1, 0xC3: 1}  # nil, false, true
    | {0xCA: 5, 0xCB: 9}  # floats
    | {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}  # whole numbers
    | {0xD4: 3, 0xD5: 4, 0xD6: 6, 0xD7: 10, 0xD8: 18}  # extensions of a fixed size
)
"""The whole size of the objects that begin with this byte."""

_SIZED = (
    {0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0)}  # bytes
    | {0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1)}  # extensions, with a byte for their type
    | {0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)}  # texts
)
"""How many bytes tell the size, and how many follow besides the content."""

_NESTED = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}
"""Arrays and maps: how many bytes tell the number of members, and how many objects a member is."""

ARRAY_OF_THREE = 0x93
BYTES = (0xC4, 0xC5, 0xC6)
"""First bytes of objects."""


def end_of(data: bytes, start: int) -> int:
    """Where the object that begins at `start` ends. Raises ValueError where the data ends before it or it is none."""
    at, missing = start, 1
    try:
        while missing:
            size, members = _head(data, at)
            at += size
            missing += members - 1
    except IndexError:
        at = len(data) + 1
    if at > len(data):
        raise ValueError("the data ends before the object does")
    return at


def _head(data: bytes, at: int) -> tuple[int, int]:
    """The size of an object without its members, and how many objects these are."""
    first = data[at]
    if first < 0x80 or first >= 0xE0:  # a small whole number
        return 1, 0
    if first < 0x90:  # a small map
        return 1, 2 * (first & 0x0F)
    if first < 0xA0:  # a small array
        return 1, first & 0x0F
    if first < 0xC0:  # a short text
        return 1 + (first & 0x1F), 0
    if first in _FIXED:
        return _FIXED[first], 0
    if first in _SIZED:
        width, more = _SIZED[first]
        return 1 + width + more + _number(data, at, width), 0
    if first in _NESTED:
        width, objects = _NESTED[first]
        return 1 + width, objects * _number(data, at, width)
    raise ValueError(f"no object begins with {first:#04x}")


def _number(data: bytes, at: int, width: int) -> int:
    return int.from_bytes(data[at + 1 : at + 1 + width], "big")
