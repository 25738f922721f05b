"""Draw boxes, lines and texts at positions in points, and return them as an SVG element.

Texts are shown in fonts of the reader's computer, so that letters of every script are available.
Their lengths are estimated from the letter widths of Helvetica and Arial, so no font file is
needed.
"""

import unicodedata
from functools import lru_cache
from html import escape
from typing import Literal

import msgspec

from benchloom.release.descriptions.pages import visible

NAME = 12.0  # Default size of texts in points.
_FAMILIES = "Helvetica, Arial, sans-serif"
_LETTERS_BY_WIDTH = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " !,./:;I[\\]ft",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "\N{HORIZONTAL ELLIPSIS}",
    1015: "@",
}
"""Maps a width, in thousandths of the font size, to all letters that have this width."""
_WIDTHS = {letter: width for width, letters in _LETTERS_BY_WIDTH.items() for letter in letters}
_OTHER, _FULL = 778, 1000
"""Widths of all other letters, and of full-width characters (Chinese, Japanese, Korean, emoji)."""

Anchor = Literal["start", "middle", "end"]


class Box(msgspec.Struct, frozen=True):
    """A filled rectangle; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: str


class Text(msgspec.Struct, frozen=True):
    """A line of text, turned left by `angle` degrees around the point (`x`, `y`) on its baseline.

    `anchor` says whether the start, the middle or the end of the text is at this point.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor
    angle: float
    colour: str


class Sheet:
    """A drawing that consists of boxes and texts.

    Lengths are in points, and `y` grows downwards.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._drawn: list[Box | Text] = []

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Add a filled rectangle; a thin one serves as a line."""
        self._drawn.append(Box(x, y, width, height, colour))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        *,
        size: float = NAME,
        anchor: Anchor = "start",
        angle: float = 0.0,
    ) -> None:
        """Add a line of text. `y` is the height of its baseline."""
        self._drawn.append(Text(x, y, text, size, anchor, angle, colour))

    def svg(self, title: str, text: str) -> str:
        """Return the drawing as an SVG element. Its texts can be selected and copied."""
        size = f'width="{_short(self.width)}pt" height="{_short(self.height)}pt"'
        view = f'viewBox="0 0 {_short(self.width)} {_short(self.height)}"'
        label = f'role="img" aria-label="{escape(visible(text))}"'
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} version="1.1" {label}>'
        head = f"<title>{escape(visible(title), quote=False)}</title>"
        back = '<rect width="100%" height="100%" fill="#ffffff"/>'
        group = f'<g style="font-family: {_FAMILIES}">'
        return "\n".join((start, head, back, group, *map(_element, self._drawn), "</g>", "</svg>"))


@lru_cache(maxsize=4096)
def width_of(text: str, size: float = NAME) -> float:
    """Estimate the length of a line of text, in the same unit as the font size (points)."""
    return size / 1000 * sum(_WIDTHS.get(letter) or _width(letter) for letter in text)


def _width(letter: str) -> int:
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return _FULL if unicodedata.east_asian_width(letter) in "WF" else _OTHER


def _element(element: Box | Text) -> str:
    if isinstance(element, Box):
        position = f'x="{_short(element.x)}" y="{_short(element.y)}"'
        size = f'width="{_short(element.width)}" height="{_short(element.height)}"'
        return f'<rect {position} {size} fill="{element.colour}"/>'
    position = f'x="{_short(element.x)}" y="{_short(element.y)}"'
    if element.angle:
        position += (
            f' transform="rotate({-element.angle:g} {_short(element.x)} {_short(element.y)})"'
        )
    anchor = "" if element.anchor == "start" else f' text-anchor="{element.anchor}"'
    style = f'style="font-size: {element.size:g}px"'
    escaped_text = escape(element.text, quote=False)
    return f'<text {position}{anchor} {style} fill="{element.colour}">{escaped_text}</text>'


def _short(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")
