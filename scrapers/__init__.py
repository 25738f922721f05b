"""Fetch only: bytes in, captures out."""
