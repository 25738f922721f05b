"""Terminal output of a running command: progress, interruptions and how it ended.

All of it is written to standard error: standard output is for results.
"""
