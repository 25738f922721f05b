"""Outcome of a rebuild: its record, notices of failures, and rows that a release must have."""
