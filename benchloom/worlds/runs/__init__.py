"""Tasks as they lie there, and what a run of one is worth."""
