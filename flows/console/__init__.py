"""This package prints the progress of a command, interruptions, and the summary at the end.

Progress and interruptions are printed to standard error, because standard output is for results.
"""
