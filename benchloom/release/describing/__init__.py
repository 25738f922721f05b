"""Inputs of a release's documents: its tables, and figures counted from them."""

from benchloom.release.describing.figures import Bar, Chart, Cross, CrossRow, Figure, Section
from benchloom.release.describing.tables import ReleaseTables, ReleaseView

__all__ = [
    "Bar",
    "Chart",
    "Cross",
    "CrossRow",
    "Figure",
    "ReleaseTables",
    "ReleaseView",
    "Section",
]
