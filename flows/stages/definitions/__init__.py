"""Stages of API definitions: parse, normalise, and which apps to fetch."""
