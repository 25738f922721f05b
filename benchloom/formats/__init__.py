"""Deterministic export formats, one module per format."""
