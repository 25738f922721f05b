"""Trace the turns of a dialogue to its calls and to the origin of each argument."""
