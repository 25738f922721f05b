"""Decide which values in a shortcut a person would state in a request, and name them plainly."""
