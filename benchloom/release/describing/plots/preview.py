"""The preview picture of a release, with its name and headline figures, for shared links."""

from collections.abc import Sequence
from functools import partial

import msgspec

from benchloom.release.describing.figures import Figure
from benchloom.release.describing.pages import number, visible
from benchloom.release.describing.plots.sheet import Sheet, width_of
from benchloom.storage.memory import digest, recall

HEADLINE = (
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
"""Keys of the figures that are shown, if they are above zero."""
WIDTH, HEIGHT = 600.0, 315.0
"""Points: 1,200 by 630 pixels, the shape that services show."""
_INK, _SOFT, _PAPER, _BAND = "#1b2733", "#52606d", "#f4f7f9", "#1d5a88"
_EDGE, _ACROSS = 40.0, 3
_MOST = 6
_TEXT = "Data for API-calling and tool-planning agents, from what people really made"


def draw_preview(name: str, figures: Sequence[Figure]) -> bytes:
    """Draw the preview picture as PNG."""
    key = digest("preview", msgspec.msgpack.encode((name, figures)))
    return recall(key, bytes, partial(_drawn, name, figures))


def _drawn(name: str, figures: Sequence[Figure]) -> bytes:
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.box(0, 0, WIDTH, HEIGHT, _PAPER)
    sheet.box(0, 0, 14, HEIGHT, _BAND)
    sheet.text(_EDGE, 66, _fitting(visible(name), 30, WIDTH - 2 * _EDGE), _INK, size=30)
    sheet.text(_EDGE, 94, _TEXT, _SOFT, size=12)
    pitch = (WIDTH - 2 * _EDGE) / _ACROSS
    for position, figure in enumerate(figures[:_MOST]):
        x = _EDGE + position % _ACROSS * pitch
        y = 168 + position // _ACROSS * 84
        sheet.text(x, y, number(figure.value), _BAND, size=32)
        sheet.text(x, y + 22, _fitting(figure.label, 14, pitch - 10), _SOFT, size=14)
    return sheet.png()


def _fitting(text: str, size: float, room: float) -> str:
    while len(text) > 1 and width_of(text, size) > room:
        text = text[:-2] + "…"
    return text
