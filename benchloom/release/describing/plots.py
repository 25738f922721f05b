"""Plots of charts and cross tables: inline SVG for the page, PNG for everything else.

Same figures, same bytes: no dates, no random ids, and the font that matplotlib brings along. Text
stays text in the SVG, so a reader's own fonts show letters that this font lacks.
"""

import io
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from benchloom.built_in_actions import SYSTEM_PREFIX
from benchloom.release.describing.figures import Chart, Cross
from benchloom.release.describing.pages import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

WIDTH = 4.9
"""Inches. On a phone the plot is shown at about its own size, so its letters stay readable."""
_DPI = 144
_INK = "#1b2733"
_GRID = "#d9dfe5"
_BAR = "#22628f"
_STEPS = ("#a9cbe3", "#6ea6cd", "#3a7fb1", "#1d5a88", "#0f3557", "#9aa3ab")
_COLOURS = ("#22628f", "#e08a1e", "#3f8f4f", "#b5446e", "#7a5fb0", "#8a6d3b", "#2aa0a4", "#c9b037")
_OTHERS = "#9aa3ab"
_LONGEST_NAME = 34
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "benchloom",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "text.parse_math": False,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _GRID,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
_OWN_IDS = re.compile(
    r' id="(?:figure|axes|patch|text|line2d|legend|matplotlib\.axis|[xy]tick)_\d+"'
)


class Plot(msgspec.Struct, frozen=True):
    """One plot: `svg` is an element for a page, `text` says for people what it shows."""

    key: str
    title: str
    text: str
    svg: str
    png: bytes


@lru_cache(maxsize=128)
def draw(figures: Chart | Cross) -> Plot:
    """The plot of a chart or a cross table; equal figures are drawn once in a process."""
    import matplotlib as mpl

    with mpl.rc_context({"backend": "agg", **_SETTINGS}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        figure = _draw_cross(figures) if isinstance(figures, Cross) else _draw_chart(figures)
        png = _png(figure)
        return Plot(figures.key, figures.title, alternative(figures), _svg(figure), png)


def alternative(figures: Chart | Cross) -> str:
    """What a plot shows, in one sentence for people who do not see it."""
    if isinstance(figures, Cross):
        names = f"{len(figures.rows)} rows ({figures.row}) by {figures.column}"
        total = sum(sum(row.counts) for row in figures.rows)
        return f"Stacked bars, {figures.title}: {names}, {total:,} {figures.unit} in all."
    highest = max(figures.bars, key=lambda bar: bar.count)
    return (
        f"Bars, {figures.title}: {len(figures.bars)} bars, "
        f"the highest is {highest.name} with {highest.count:,} {figures.unit}."
    )


def _png(figure: "Figure") -> bytes:
    """The plot as PNG; finds the places of everything in it.

    The canvas is asked itself: `savefig` would draw each plot once more for nothing.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    buffer = io.BytesIO()
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(buffer, metadata={"Software": None})
    figure.set_layout_engine("none")
    return buffer.getvalue()


def _svg(figure: "Figure") -> str:
    """The plot as an SVG element, with the places that the PNG found."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(buffer, metadata=nothing)
    text = buffer.getvalue()
    return _OWN_IDS.sub("", text[text.index("<svg") :]).strip()


def _axes(height: float) -> "tuple[Figure, Axes]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=_DPI, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)
    return figure, axes


def _draw_chart(chart: Chart) -> "Figure":
    names = [short(bar.name) for bar in chart.bars]
    counts = [bar.count for bar in chart.bars]
    if chart.kind == "ordered":
        figure, axes = _axes(2.9)
        bars = axes.bar(range(len(names)), counts, color=_BAR, width=0.8)
        slanted = len(names) > 7 or sum(map(len, names)) > 42
        axes.set_xticks(range(len(names)), names)
        if slanted:
            axes.tick_params(axis="x", labelrotation=40)
            for label in axes.get_xticklabels():
                label.set(ha="right", rotation_mode="anchor")
        axes.set_ylabel(chart.unit)
        _ticks(axes.yaxis, chart.unit, 8)
        axes.grid(axis="y", color=_GRID, linewidth=0.7)
        axes.margins(y=0.12)
        labels = axes.bar_label(bars, [_number(count) for count in counts], padding=2)
    else:
        figure, axes = _axes(0.75 + 0.235 * len(names))
        colours = [_OTHERS if bar.name.endswith(" others") else _BAR for bar in chart.bars]
        bars = axes.barh(range(len(names)), counts, color=colours, height=0.74)
        _name_rows(axes, names, chart.unit)
        axes.margins(x=0.14)
        labels = axes.bar_label(bars, [_number(count) for count in counts], padding=3)
    for label in labels:
        label.set_fontsize(8)
    return figure


def _draw_cross(cross: Cross) -> "Figure":
    names = [short(row.name) for row in cross.rows]
    lines = (len(cross.columns) + 2) // 3
    figure, axes = _axes(0.8 + 0.27 * len(names) + 0.2 * lines)
    starts = [0] * len(names)
    for position, column in enumerate(cross.columns):
        counts = [row.counts[position] for row in cross.rows]
        colour = _colour(cross, position)
        axes.barh(range(len(names)), counts, left=starts, color=colour, height=0.74, label=column)
        starts = [start + count for start, count in zip(starts, counts, strict=True)]
    _name_rows(axes, names, cross.unit)
    axes.margins(x=0.14)
    for position, total in enumerate(starts):
        axes.annotate(
            _number(total),
            (total, position),
            (3, 0),
            textcoords="offset points",
            va="center",
            size=8,
        )
    keys, labels = axes.get_legend_handles_labels()
    title = None if cross.column in {"site", "verdict"} else cross.column
    figure.legend(
        keys,
        [short(label, 22) for label in labels],
        loc="outside lower center",
        ncols=min(6 if _is_levels(cross) else 3, len(labels)),
        frameon=False,
        title=title,
        fontsize=8,
        title_fontsize=8,
        handlelength=1.2,
        columnspacing=1.2,
    )
    return figure


def _is_levels(cross: Cross) -> bool:
    return cross.column == "level"


def _colour(cross: Cross, position: int) -> str:
    """Shades of one colour for levels, which have an order; different colours for names."""
    if _is_levels(cross):
        name = cross.columns[position]
        return _STEPS[int(name) - 1] if name.isdigit() else _STEPS[-1]
    if cross.columns[position].startswith("other") or position >= len(_COLOURS):
        return _OTHERS
    return _COLOURS[position]


def _name_rows(axes: "Axes", names: "Sequence[str]", unit: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(unit)
    axes.grid(axis="x", color=_GRID, linewidth=0.7)
    _ticks(axes.xaxis, unit, 4)


def short(name: str, longest: int = _LONGEST_NAME) -> str:
    """A name that fits beside a bar: its start and its telling end."""
    line = " ".join(visible(name).split())
    line = line.removeprefix(SYSTEM_PREFIX)
    if len(line) <= longest:
        return line
    half = (longest - 1) // 2
    return f"{line[:half]}…{line[-half:]}"


def _ticks(axis: "Axis", unit: str, most: int) -> None:
    """Marks at whole numbers; money may be divided."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=most, integer=unit != "USD"))
    axis.set_major_formatter(_tick)


def _tick(value: float, _position: float | None) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _number(count: float) -> str:
    """A count with thousands separated, money with two digits."""
    return f"{count:,}" if isinstance(count, int) else f"{count:,.2f}"
