"""Hand-made versions of every site and of iCloud, served on this machine only.

Names, texts and ids are invented by code; the same code always gives the same world. A server is
started with `running_replica()` (see `demo.replica.server`) or `python -m demo.replica`.
"""
