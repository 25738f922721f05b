"""Audit a scorer: gold with known changes must get the expected scores.

Each function of `mutations` is one way to change gold.
"""
