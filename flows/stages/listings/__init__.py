"""Stages of listings: crawl, download, parse, and captures to listings."""
