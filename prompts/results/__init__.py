"""The results of conversations: rows, and the verdicts on them."""
