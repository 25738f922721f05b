"""The data for a release's documents: rows and statistics of its tables."""

from benchloom.release.descriptions.figures import Bar, Chart
from benchloom.release.descriptions.tables import ReleaseTables, ReleaseView

__all__ = [
    "Bar",
    "Chart",
    "ReleaseTables",
    "ReleaseView",
]
