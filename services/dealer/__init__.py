"""The dealer: commits to the shares of a match before anyone joins, and deals its hands."""
