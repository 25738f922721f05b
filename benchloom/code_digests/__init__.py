"""Digests of the code that decides the rows of a stage."""
