"""Audit a scorer: change gold in known ways and compare the scores with the expected scores.

Each function of `mutations` is one way to change gold.
"""
