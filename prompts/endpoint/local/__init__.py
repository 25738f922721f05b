"""A model on this machine, for users without a key: its weights, and the server for one run."""
