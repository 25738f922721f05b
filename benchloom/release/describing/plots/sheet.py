"""A sheet with boxes, lines and texts at places in points: the same as an SVG element and as PNG.

Plots are drawn with matplotlib's rasteriser and font, without its figures: to find the places of
everything in a figure takes ten times as long as to draw it, and a release has dozens.
"""

import io
import logging
import math
from functools import lru_cache
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

# For a user without a home it warns twice that what it caches is kept elsewhere.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
_DPI = 144
_SCALE = _DPI / 72
_FONT = "DejaVu Sans"
_FURTHER_FONT = "Noto Sans CJK SC"
"""For what the first one lacks: Chinese, Japanese and Korean."""
_FURTHER_PACKAGE, _FURTHER_FILE = "noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc"
_FAMILIES = f"{_FONT}, Verdana, sans-serif"
"""For readers without that font: Verdana's letters are as wide."""

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
    """A line of text on its baseline, turned to the left by `angle` degrees around its anchor."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor
    angle: float
    colour: str


class Sheet:
    """What is drawn, in its order. Lengths are points, `y` grows downwards."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._drawn: list[Box | Text] = []

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle; a line is a thin one."""
        self._drawn.append(Box(x, y, width, height, colour))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        *,
        size: float = 9.0,
        anchor: Anchor = "start",
        angle: float = 0.0,
    ) -> None:
        """Write a line; `y` is its baseline."""
        self._drawn.append(Text(x, y, text, size, anchor, angle, colour))

    def svg(self) -> str:
        """An SVG element; texts stay texts."""
        size = f'width="{_short(self.width)}pt" height="{_short(self.height)}pt"'
        view = f'viewBox="0 0 {_short(self.width)} {_short(self.height)}"'
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} version="1.1">'
        back = '<rect width="100%" height="100%" fill="#ffffff"/>'
        group = f'<g style="font-family: {_FAMILIES}">'
        return "\n".join((start, back, group, *map(_element, self._drawn), "</g>", "</svg>"))

    def png(self) -> bytes:
        """The picture in 144 dots per inch."""
        from PIL.Image import frombuffer

        renderer = _renderer(self.width, self.height)
        for one in (Box(0, 0, self.width, self.height, "#ffffff"), *self._drawn):
            if isinstance(one, Box):
                _paint(renderer, one, self.height)
            else:
                _write(renderer, one)
        pixels = renderer.buffer_rgba()
        height, width, _ = pixels.shape
        buffer = io.BytesIO()
        # As matplotlib's `imsave` does, which imports its figures.
        picture = frombuffer("RGBA", (width, height), pixels, "raw", "RGBA", 0, 1)
        picture.save(buffer, format="png", dpi=(_DPI, _DPI))
        return buffer.getvalue()


@lru_cache(maxsize=4096)
def width_of(text: str, size: float = 9.0) -> float:
    """How long a line of text is, in points."""
    found = _ruler().get_text_width_height_descent(text, _font(size), ismath=False)
    return float(found[0]) / _SCALE


def _paint(renderer: Any, box: Box, height: float) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    context = renderer.new_gc()
    context.set_linewidth(0)
    place = Affine2D().scale(box.width, -box.height).translate(box.x, height - box.y)
    renderer.draw_path(context, Path.unit_rectangle(), place.scale(_SCALE), to_rgba(box.colour))


def _write(renderer: Any, text: Text) -> None:
    back = _SHARE[text.anchor] * width_of(text.text, text.size)
    turn = math.radians(text.angle)
    x = (text.x - back * math.cos(turn)) * _SCALE
    y = (text.y + back * math.sin(turn)) * _SCALE
    context = renderer.new_gc()
    context.set_foreground(text.colour)
    renderer.draw_text(context, x, y, text.text, _font(text.size), text.angle, ismath=False)


@lru_cache(maxsize=1)
def _ruler() -> Any:
    """What measures texts: nothing is drawn on it."""
    return _renderer(1, 1)


def _renderer(width: float, height: float) -> Any:
    from matplotlib.backends import backend_agg

    made: Any = backend_agg.RendererAgg  # has no types
    return made(round(width * _SCALE), round(height * _SCALE), _DPI)


@lru_cache(maxsize=8)
def _font(size: float) -> "FontProperties":
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=_families(), size=size)


@lru_cache(maxsize=1)
def _families() -> list[str]:
    """The fonts in their order; the packaged one is made known to matplotlib in this process.

    An environment that was made before that package was needed draws boxes instead of its letters.
    """
    from matplotlib.font_manager import fontManager

    if find_spec(_FURTHER_PACKAGE) is None:
        return [_FONT]
    fontManager.addfont(str(files(_FURTHER_PACKAGE) / _FURTHER_FILE))
    return [_FONT, _FURTHER_FONT]


def _element(one: Box | Text) -> str:
    if isinstance(one, Box):
        place = f'x="{_short(one.x)}" y="{_short(one.y)}"'
        size = f'width="{_short(one.width)}" height="{_short(one.height)}"'
        return f'<rect {place} {size} fill="{one.colour}"/>'
    place = f'x="{_short(one.x)}" y="{_short(one.y)}"'
    if one.angle:
        place += f' transform="rotate({-one.angle:g} {_short(one.x)} {_short(one.y)})"'
    anchor = "" if one.anchor == "start" else f' text-anchor="{one.anchor}"'
    style = f'style="font-size: {one.size:g}px"'
    told = escape(one.text, quote=False)
    return f'<text {place}{anchor} {style} fill="{one.colour}">{told}</text>'


def _short(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")
