"""Publish parsed shortcuts as rows: duplicates, clusters, splits, languages, validity."""
