"""What becomes of a conversation: a row, and the verdicts on it."""
