"""Terminal output of a running command: progress, interruptions and how it ended.

Everything goes to standard error: standard output is for results.
"""
