"""Shared code for readers of external datasets: locations of records, labels, JSON tools."""
