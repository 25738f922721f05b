"""Clients of the task protocols, which make the moves of a test and return the reward."""
