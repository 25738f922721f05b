"""The audit of a scorer: gold that was changed in a known way must get a known score.

Each module of `mutations` is one way to change it.
"""
