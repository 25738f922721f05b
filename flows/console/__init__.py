"""Terminal output of a running command: progress, interruptions and the summary at its end.

All of it is written to standard error: standard output is for results.
"""
