"""Planted secrets and harmless texts in two halves, one for tuning and one held out.

Everything is drawn from a seed, so no file contains a secret. The held-out half has other kinds of
the same families, other labels and other sentences. Look only at its figures, never at its misses.
"""
