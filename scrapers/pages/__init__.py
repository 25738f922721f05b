"""Parses pages: takes bytes and returns entries; network access is not allowed here."""
