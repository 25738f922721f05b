"""Audit a scorer: mutate gold outputs, score them, and compare the scores with expected scores.

Each function in `mutations` is a mutation.
"""
