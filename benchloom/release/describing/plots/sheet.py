"""A sheet with boxes, lines and texts at positions in points, as SVG element or as PNG.

Both show the same. PNGs are drawn by Pillow with the font that it contains.
"""

import io
import math
import warnings
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from benchloom.core.errors import RunError
from benchloom.release.describing.pages import visible

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_DPI = 144
_SCALE = _DPI / 72
_MORE_LETTERS = ("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc")
"""The package and the file of a font for the letters that Pillow's font, Aileron, does not have,
such as Chinese, Japanese and Korean. Without the package a box is drawn for these letters."""
_CHINESE = 2  # The font for simplified Chinese among those of a collection.
_RULED = 1000  # Texts are measured at this size: small sizes round letters to whole pixels.
NAME = 12.0  # Points of a text without another size.
_FAMILIES = "Aileron, Helvetica, Arial, sans-serif"
"""Helvetica and Arial are about as wide as Aileron."""

_COMPRESSION = 4  # Of zlib: more takes several times as long and saves little.
_SAMPLED = 32  # Size at which it is looked whether a font has a letter.
_NO_LETTER = "\U0010ffff"  # What no font has.

Anchor = Literal["start", "middle", "end"]
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Box(msgspec.Struct, frozen=True):
    """A filled rectangle; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: str


class Text(msgspec.Struct, frozen=True):
    """A line of text on its baseline, turned left by `angle` degrees around its anchor."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor
    angle: float
    colour: str


class Sheet:
    """Boxes and texts in drawing order. Lengths are in points; `y` grows downwards."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._drawn: list[Box | Text] = []

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle; a thin rectangle is a line."""
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
        """Add a line of text; `y` is its baseline."""
        self._drawn.append(Text(x, y, text, size, anchor, angle, colour))

    def svg(self, title: str, text: str) -> str:
        """Return the sheet as an SVG element in which texts stay texts."""
        size = f'width="{_short(self.width)}pt" height="{_short(self.height)}pt"'
        view = f'viewBox="0 0 {_short(self.width)} {_short(self.height)}"'
        told = f'role="img" aria-label="{escape(visible(text))}"'
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} version="1.1" {told}>'
        head = f"<title>{escape(visible(title), quote=False)}</title>"
        back = '<rect width="100%" height="100%" fill="#ffffff"/>'
        group = f'<g style="font-family: {_FAMILIES}">'
        return "\n".join((start, head, back, group, *map(_element, self._drawn), "</g>", "</svg>"))

    def png(self) -> bytes:
        """Return the picture as PNG at 144 dots per inch."""
        from PIL import Image, ImageDraw

        size = (round(self.width * _SCALE), round(self.height * _SCALE))
        picture = Image.new("RGB", size, "#ffffff")
        pen = ImageDraw.Draw(picture)
        for element in self._drawn:
            if isinstance(element, Box):
                _paint(pen, element)
            elif element.angle:
                _write_turned(picture, element)
            else:
                x = element.x * _SCALE - _SHARE[element.anchor] * _length(
                    element.text, element.size
                )
                _write(pen, (x, element.y * _SCALE), element.text, element.size, element.colour)
        buffer = io.BytesIO()
        picture.save(buffer, format="png", dpi=(_DPI, _DPI), compress_level=_COMPRESSION)
        return buffer.getvalue()


class _Run(NamedTuple):
    text: str
    font: int


@lru_cache(maxsize=4096)
def width_of(text: str, size: float = NAME) -> float:
    """Return the length of a line of text, in points."""
    return size / _RULED * sum(_font(_RULED, run.font).getlength(run.text) for run in _runs(text))


def _length(text: str, size: float) -> float:
    # In pixels.
    return sum(_font(size * _SCALE, run.font).getlength(run.text) for run in _runs(text))


def _paint(pen: "ImageDraw", box: Box) -> None:
    # Between whole pixels, so that even a very thin line is visible.
    left, right = round(box.x * _SCALE), round((box.x + box.width) * _SCALE)
    top, bottom = round(box.y * _SCALE), round((box.y + box.height) * _SCALE)
    if box.width > 0 and box.height > 0:
        pen.rectangle((left, top, max(right - 1, left), max(bottom - 1, top)), fill=box.colour)


def _write(
    pen: "ImageDraw", start: tuple[float, float], text: str, size: float, colour: str | int
) -> None:
    x, y = start
    for run in _runs(text):
        font = _font(size * _SCALE, run.font)
        pen.text((x, y), run.text, fill=colour, font=font, anchor="ls")
        x += font.getlength(run.text)


def _write_turned(picture: "Image", text: Text) -> None:
    from PIL import Image, ImageDraw

    length, edge = _length(text.text, text.size), math.ceil(text.size * _SCALE)
    mask = Image.new("L", (math.ceil(length) + 2 * edge, 3 * edge))
    start = (float(edge), 2.0 * edge)
    _write(ImageDraw.Draw(mask), start, text.text, text.size, 255)
    turned = mask.rotate(text.angle, Image.Resampling.BICUBIC, expand=True)
    turn = math.radians(text.angle)
    across = start[0] + _SHARE[text.anchor] * length - mask.width / 2
    down = start[1] - mask.height / 2
    x = text.x * _SCALE - turned.width / 2 - (across * math.cos(turn) + down * math.sin(turn))
    y = text.y * _SCALE - turned.height / 2 - (down * math.cos(turn) - across * math.sin(turn))
    picture.paste(text.colour, (round(x), round(y)), turned)


@lru_cache(maxsize=4096)
def _runs(text: str) -> tuple[_Run, ...]:
    if text.isascii():
        return (_Run(text, 0),)
    numbered = ((letter, _font_of(letter)) for letter in text)
    return tuple(
        _Run("".join(letter for letter, _ in run), number)
        for number, run in groupby(numbered, key=lambda pair: pair[1])
    )


@lru_cache(maxsize=4096)
def _font_of(letter: str) -> int:
    for number in range(1 + len(_further_fonts())):
        font = _font(_SAMPLED, number)
        if letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER)):
            return number
    warnings.warn(f"Glyph {ord(letter)} missing from fonts", UserWarning, stacklevel=2)
    return 0


@lru_cache(maxsize=64)
def _font(size: float, number: int) -> "FreeTypeFont":
    # With basic layout, which is the same on every machine.
    from PIL.ImageFont import FreeTypeFont, Layout, load_default, truetype

    if number:
        path = str(_further_fonts()[number - 1])
        return truetype(path, size, _CHINESE, layout_engine=Layout.BASIC)
    own = load_default(size)
    if not isinstance(own, FreeTypeFont):
        raise RunError("Pillow was built without FreeType; install a wheel of Pillow")
    return own


@lru_cache(maxsize=1)
def _further_fonts() -> list[Path]:
    package, name = _MORE_LETTERS
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return []
    return [Path(spec.submodule_search_locations[0], name)]


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
