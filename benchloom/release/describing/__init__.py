"""The data from which a release's documents are written: its tables, and their statistics."""

from benchloom.release.describing.figures import Bar, Chart
from benchloom.release.describing.tables import ReleaseTables, ReleaseView

__all__ = [
    "Bar",
    "Chart",
    "ReleaseTables",
    "ReleaseView",
]
