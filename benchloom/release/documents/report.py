"""`report.html`: one self-contained page with plots; PNG copies of them lie in `report/`."""

from pathlib import Path

import msgspec

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.figures import Chart, Cross, CrossRow, Section
from benchloom.release.describing.pages import write_page
from benchloom.release.describing.plots import Plot, draw
from benchloom.release.texts import DESCRIPTION, LICENCE, LIMITS, TAKEDOWN
from benchloom.tables import load_table
from benchloom.workspace import FunnelStep, write_file

PATHS = ("report", "report.html")


class Drawn(msgspec.Struct, frozen=True):
    """A section with the plot of each of its charts and cross tables."""

    section: Section
    charts: tuple[tuple[Chart, Plot], ...]
    crosses: tuple[tuple[Cross, Plot], ...]


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the page and a PNG per plot."""
    funnel = funnel_cross(release.funnel)
    funnel_plot = draw(funnel) if funnel.rows else None
    drawn = [_drawn(section) for section in release.sections]
    plots = [plot for found in drawn for _, plot in (*found.charts, *found.crosses)]
    written = [
        write_page(
            folder / "report.html",
            "report.html.j2",
            release=release,
            tables=[(load_table(name), rows) for name, rows in release.tables.rows().items()],
            funnel_plot=funnel_plot,
            drawn=drawn,
            description=DESCRIPTION,
            limits=LIMITS,
            licence=LICENCE,
            takedown=TAKEDOWN,
        )
    ]
    for plot in [*plots, *([funnel_plot] if funnel_plot else [])]:
        path = folder / "report" / f"{plot.key}.png"
        write_file(path, plot.png)
        written.append(path)
    return written


def _drawn(section: Section) -> Drawn:
    return Drawn(
        section,
        tuple((chart, draw(chart)) for chart in section.charts),
        tuple((cross, draw(cross)) for cross in section.crosses),
    )


def funnel_cross(funnel: tuple[FunnelStep, ...]) -> Cross:
    """Objects kept and left out by each stage."""
    rows = tuple(CrossRow(step.stage, (step.kept, sum(step.reasons.values()))) for step in funnel)
    title = "From inputs to rows"
    return Cross("funnel", title, "objects", "stage", "verdict", ("kept", "left out"), rows)
