"""Stages of API definitions: parsing, normalising, and listing the apps to fetch."""
