"""Conversations: what steps ask, how replies are read, and what becomes of the answers."""
