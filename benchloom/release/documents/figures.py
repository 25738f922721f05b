"""`FIGURES.md`: all figures of the report as tables, and figures that stages counted."""

from pathlib import Path

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.pages import write_page

PATHS = ("FIGURES.md",)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the page; its figures equal the figures of the report."""
    return [write_page(folder / "FIGURES.md", "figures.md.j2", release=release)]
