"""Decide which literals of a shortcut a person would state, and give them plain names."""
