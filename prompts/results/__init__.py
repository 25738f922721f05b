"""Turns finished conversations into rows, and judges the rows."""
