"""API definitions as tools for models: search, random chains, and checks of proposed calls."""
