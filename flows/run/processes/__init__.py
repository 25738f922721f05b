"""Worker processes that make shards: how they start, what they import, what memory they use."""
