"""Figures of an evaluation: counts, measures and their intervals."""
