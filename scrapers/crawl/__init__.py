"""Crawls and downloads: which pages to request, which responses to store, how to resume."""
