"""Shared code for readers of external datasets: records with places, labels, JSON tools."""
