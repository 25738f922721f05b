"""A player for each task protocol: a client that makes the moves of a test and gets a reward."""
