"""Parses iCloud's responses about shared shortcuts, and removes personal ids; no network."""
