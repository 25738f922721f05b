"""Audit a scorer: change gold outputs in known ways, and check that the scores change as expected.

Each function in the module `mutations` is one way to change a gold output.
"""
