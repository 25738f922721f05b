"""Bytes in, records out: no network and no disk."""
