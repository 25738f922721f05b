"""The audit of a scorer: gold that was changed in a known way must get a known score.

One module of `mutations` per way to change it.
"""
