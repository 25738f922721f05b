"""Write `FIGURES.md`: the statistics of the report and of the stages as tables."""

from pathlib import Path

from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.pages import write_page

PATHS = ("FIGURES.md",)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `FIGURES.md`; its numbers equal those of the report."""
    return [write_page(folder / "FIGURES.md", "figures.md.j2", release=release)]
