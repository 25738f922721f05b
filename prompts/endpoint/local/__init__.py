"""A model on this machine, for those without a key: its weights, and the server for one run."""
