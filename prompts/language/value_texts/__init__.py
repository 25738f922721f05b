"""Decides which literals of a shortcut a person would state, and gives them plain names."""
