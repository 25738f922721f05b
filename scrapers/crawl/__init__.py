"""This package crawls sites, downloads shortcuts, and reads the responses that were captured."""
