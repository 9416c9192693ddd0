"""What the poker games share: hand ranking, betting, pots, showdown, the state and the match around the hands.

`poker §4` means a section of RULES.md in this folder.
"""
