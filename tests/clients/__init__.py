"""Clients of other packages, each run in an environment of its own; benchloom is not in it.

`NAME.py` is a program: it takes the address of a server and a file of moves, and prints rewards.
`NAME.txt` is its lock, with the digests of wheels for Linux; it names no index.
"""
