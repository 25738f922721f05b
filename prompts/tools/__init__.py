"""API definitions as tools: search, sampling, and checks of proposed calls."""
