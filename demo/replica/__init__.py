"""Imitations of every supported site and of iCloud, served on this machine only.

All names, texts and ids are invented, and the same code always gives the same content.
`running_replica` of `demo.replica.server` and `python -m demo.replica` start a server.
"""
