"""Texts without a model: phrases, and the writer that puts them together."""
