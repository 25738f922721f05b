"""Processes that make shards: how they start, what they import, and what memory they take."""
