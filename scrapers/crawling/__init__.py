"""Crawls and downloads: what is asked for next, what is kept, how a run is resumed."""
