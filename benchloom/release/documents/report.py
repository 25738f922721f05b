"""Write `report.html`, a page with statistics and plots, and each plot as an SVG file.

The page loads no other files. The SVG files are in the folder `report`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.figures import Chart, Cross, CrossRow, Figure, Section
from benchloom.release.descriptions.pages import DESCRIPTION, LICENCE, LIMITS, TAKEDOWN, write_page
from benchloom.release.descriptions.plots import Plot, draw
from benchloom.release.sections import SECTIONS
from benchloom.storage.tables import load_table
from benchloom.storage.workspace import FunnelStep, write_file

PATHS = ("report", "report.html")
_HEADLINE = (
    "shortcuts.rows",
    "shortcuts.apis",
    "shortcuts.apps",
    "planning_paths.rows",
    "api_definitions.rows",
    "listings.rows",
    "dialogues.rows",
    "queries.kept",
    "tasks.rows",
)
"""Keys of the numbers at the top of the page. Numbers that are zero are left out."""
_ROWS_SHOWN = 3  # Plots of a section that are visible at first; the others are folded.
_LOW = range(2, 8)  # Numbers of rows of low plots, which come first; one row says too little.
_LABELS = {"queries.kept": "texts that are kept"}
"""Labels of numbers that are different at the top of the page than in their sections."""
Figured = tuple[Chart | Cross, Plot]


class Drawn(msgspec.Struct, frozen=True):
    """A section of the report with its plots.

    `folded` plots are hidden until the reader opens them.
    """

    section: Section
    visible: tuple[Figured, ...]
    folded: tuple[Figured, ...]

    @property
    def plots(self) -> tuple[Figured, ...]:
        """All plots of the section."""
        return (*self.visible, *self.folded)

    @property
    def is_empty(self) -> bool:
        """Whether the section has no plots and all its numbers are zero."""
        return not self.plots and not any(figure.value for figure in self.section.figures)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `report.html` and one SVG file per plot, and return all paths."""
    funnel = _funnel_cross(release.funnel)
    funnel_plot = draw(funnel) if funnel.rows else None
    drawn_sections = [_with_plots(section) for section in release.sections]
    plots = [plot for drawn_section in drawn_sections for _, plot in drawn_section.plots]
    written = [
        write_page(
            folder / "report.html",
            "report.html.j2",
            release=release,
            tables=[(load_table(name), rows) for name, rows in release.tables.rows().items()],
            funnel_plot=funnel_plot,
            headline=_headline_of(release.sections),
            places=list(_links(release, drawn_sections)),
            drawn=[drawn_section for drawn_section in drawn_sections if not drawn_section.is_empty],
            empty=[drawn_section for drawn_section in drawn_sections if drawn_section.is_empty],
            description=release.details.description or DESCRIPTION,
            limits=LIMITS,
            licence=release.details.owned(LICENCE),
            takedown=TAKEDOWN,
        )
    ]
    for plot in [*plots, *([funnel_plot] if funnel_plot else [])]:
        path = folder / "report" / f"{plot.key}.svg"
        write_file(path, plot.svg.encode("utf-8", "replace"))
        written.append(path)
    return written


def _with_plots(section: Section) -> Drawn:
    diagrams: tuple[Chart | Cross, ...] = (*section.charts, *section.crosses)
    low = [diagram for diagram in diagrams if _is_low(diagram)]
    visible_diagrams = (
        low[:_ROWS_SHOWN] if len(low) >= _ROWS_SHOWN and section.key in SECTIONS.names() else []
    )
    folded = [diagram for diagram in diagrams if diagram not in visible_diagrams]
    return Drawn(
        section,
        tuple((diagram, draw(diagram)) for diagram in visible_diagrams),
        tuple((diagram, draw(diagram)) for diagram in folded),
    )


def _is_low(diagram: Chart | Cross) -> bool:
    if isinstance(diagram, Chart):
        return len(diagram.bars) in _LOW or diagram.kind == "ordered"
    return len(diagram.rows) in _LOW


def _headline_of(sections: Sequence[Section]) -> list[Figure]:
    figures_by_key = {
        figure.key: msgspec.structs.replace(figure, label=_LABELS.get(figure.key, figure.label))
        for section in sections
        for figure in section.figures
    }
    return [
        figures_by_key[key]
        for key in _HEADLINE
        if key in figures_by_key and figures_by_key[key].value
    ]


def _links(
    release: ReleaseView, drawn_sections: Sequence[Drawn]
) -> Iterator[tuple[str, str, int | None]]:
    rows = release.tables.rows()
    yield "#tables", "Tables", None
    yield "#funnel", "From inputs to rows", None
    for drawn_section in drawn_sections:
        if not drawn_section.is_empty:
            yield (
                f"#{drawn_section.section.key}",
                drawn_section.section.title,
                rows.get(drawn_section.section.key),
            )
    if any(drawn_section.is_empty for drawn_section in drawn_sections):
        yield "#empty", "Without rows", None
    if release.notes:
        yield "#stages", "Figures of stages", None
    yield "#limits", "Known limits", None
    yield "#licence", "Licence and takedown", None


def _funnel_cross(funnel: tuple[FunnelStep, ...]) -> Cross:
    rows = tuple(CrossRow(step.stage, (step.kept, sum(step.reasons.values()))) for step in funnel)
    title = "From inputs to rows"
    return Cross("funnel", title, "objects", "stage", "verdict", ("kept", "left out"), rows)
