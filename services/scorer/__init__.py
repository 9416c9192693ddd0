"""The scorer: scores a hand when it is over, opens its secrets, and ends the match."""
