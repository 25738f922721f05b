"""Planted secrets and harmless texts, in two halves: one to tune on and one to measure with.

Everything is drawn from a seed, so no secret stands in a file. The held-out half has other kinds of
the same families, other labels and other sentences. Look at its figures, never at its misses.
"""
