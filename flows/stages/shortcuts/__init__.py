"""Stages of shortcuts: parse, normalise, fingerprint, enrich, join."""
