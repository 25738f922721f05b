"""The audit of a scorer: gold that was changed in a known way must get the expected score.

Each function of `mutations` is one way to change gold.
"""
