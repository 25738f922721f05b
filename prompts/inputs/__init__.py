"""Rows of earlier stages as the typed inputs of steps."""
