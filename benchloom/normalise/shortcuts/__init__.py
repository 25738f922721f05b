"""Shortcuts from parsed to published rows: duplicates, clusters, splits, languages, validity."""
