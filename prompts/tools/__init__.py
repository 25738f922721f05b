"""API definitions as tools: searching, sampling, and checking proposed calls."""
