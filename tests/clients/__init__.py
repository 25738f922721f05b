"""Clients of other packages play tasks at our server, each from its own Python environment.

`NAME.py` is a program that takes the address of a server and a file of moves, and prints rewards.
Its environment does not contain benchloom. `NAME.txt` is the lock of the environment, with the
digests of wheels for Linux; it names no index.
"""
