"""Crawls and downloads: order of the pages, responses to keep, and resuming killed runs."""
