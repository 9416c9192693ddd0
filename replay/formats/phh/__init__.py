"""PHH, the poker hand history format of the University of Toronto: hands to log files, and logs to hands.

Read it in this order: hand (the file as it is written), cards (the deck it was dealt from), reading (to a log),
writing (from a log). Rules: RULES.md of the poker games, and the section there on PHH.
"""

from replay.formats.phh.hand import hands_in
from replay.formats.phh.reading import archive_of_hand
from replay.formats.phh.writing import as_file, written

__all__ = ["archive_of_hand", "as_file", "hands_in", "written"]
