"""This package contains the only HTTP client of crawls, and the rules for polite requests."""
