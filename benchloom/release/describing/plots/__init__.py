"""Plots of charts and cross tables as SVG, inside the page and as files beside it.

The same figures give the same bytes: there are no dates or random ids, and texts remain texts.
"""

import hashlib
from functools import lru_cache, partial

import msgspec

from benchloom.release.describing.figures import Chart, Cross
from benchloom.release.describing.plots.charts import draw_chart, draw_cross
from benchloom.storage.memory import digest, recall


class Plot(msgspec.Struct, frozen=True):
    """One plot: `svg` is an element for a page, `text` describes the plot in words."""

    key: str
    title: str
    text: str
    svg: str

    def _repr_svg_(self) -> str:
        """The plot as a notebook shows it."""
        return self.svg


def draw(figures: Chart | Cross) -> Plot:
    """The plot of a chart or a cross table; equal figures are drawn once."""
    return recall(digest("plot", digest_of(figures)), Plot, partial(_drawn, figures))


def digest_of(figures: msgspec.Struct) -> str:
    """Return a digest of the content of a chart or cross table."""
    encoded_figures = msgspec.msgpack.encode((type(figures).__name__, figures))
    return hashlib.sha256(encoded_figures).hexdigest()


@lru_cache(maxsize=128)
def _drawn(figures: Chart | Cross) -> Plot:
    sheet = draw_cross(figures) if isinstance(figures, Cross) else draw_chart(figures)
    text = alternative(figures)
    return Plot(figures.key, figures.title, text, sheet.svg(figures.title, text))


def alternative(figures: Chart | Cross) -> str:
    """Describe a plot in one sentence, for people who do not see it."""
    if isinstance(figures, Cross):
        names = f"{len(figures.rows)} rows ({figures.row}) by {figures.column}"
        total = sum(sum(row.counts) for row in figures.rows)
        return f"Stacked bars, {figures.title}: {names}, {total:,} {figures.unit} in all."
    highest = max(figures.bars, key=lambda bar: bar.count)
    return (
        f"Bars, {figures.title}: {len(figures.bars)} bars, "
        f"the highest is {highest.name} with {highest.count:,} {figures.unit}."
    )
