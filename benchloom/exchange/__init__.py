"""Exchange: examples of calls, and the external formats for reading and writing them."""
