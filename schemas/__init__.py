"""The wire language: what is said in a match, and how it is encoded."""
