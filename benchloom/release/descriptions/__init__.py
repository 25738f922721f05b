"""Collect the data that a release's documents show: rows, counts and charts of its tables."""

from benchloom.release.descriptions.figures import Bar, Chart
from benchloom.release.descriptions.tables import ReleaseTables, ReleaseView

__all__ = [
    "Bar",
    "Chart",
    "ReleaseTables",
    "ReleaseView",
]
