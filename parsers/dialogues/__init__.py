"""Annotated dialogue sources, one module per source."""
