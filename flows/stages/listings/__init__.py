"""Stages of listings: crawl sites, download shortcuts, and convert captures to listings."""
