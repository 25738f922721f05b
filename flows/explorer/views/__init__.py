"""Prepare rows for pages: typed, shortened, with links to related rows."""
