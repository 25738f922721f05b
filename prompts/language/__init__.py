"""Wording of names and values without a model, and recognition of values that a text states."""
