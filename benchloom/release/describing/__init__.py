"""Inputs of a release's documents: its tables, and statistics about them."""

from benchloom.release.describing.figures import Bar, Chart
from benchloom.release.describing.tables import ReleaseTables, ReleaseView

__all__ = [
    "Bar",
    "Chart",
    "ReleaseTables",
    "ReleaseView",
]
