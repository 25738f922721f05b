"""What a command says while it works: what is under way, what was interrupted, how it ended.

Everything goes to standard error: standard output is for results.
"""
