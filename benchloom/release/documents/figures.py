"""Write `FIGURES.md`: all statistics of the report and of the pipeline stages, as tables."""

from pathlib import Path

from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.pages import write_page

PATHS = ("FIGURES.md",)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `FIGURES.md` and return its path. Its numbers equal those of `report.html`."""
    return [write_page(folder / "FIGURES.md", "figures.md.j2", release=release)]
