"""Finders, one module per kind of value; each module defines `FINDER` and is discovered."""
