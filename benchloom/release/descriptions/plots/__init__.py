"""Draw charts and cross tables as SVG plots, for the report page and for separate files.

The same data give the same bytes, because a plot contains no dates or random ids. Its words are
stored as text, not as outlines.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.release.descriptions.figures import Chart, Cross, Number
from benchloom.release.descriptions.pages import visible
from benchloom.release.descriptions.plots.sheet import Sheet, width_of

WIDTH = 312.0
"""Width of a plot in points. Phones show the plot at about this size, so its letters are
readable."""
_INK = "#1b2733"
_GRID = "#d9dfe5"
_BAR = "#22628f"
_STEPS = ("#a9cbe3", "#6ea6cd", "#3a7fb1", "#1d5a88", "#0f3557", "#9aa3ab")
_COLOURS = ("#22628f", "#e08a1e", "#3f8f4f", "#b5446e", "#7a5fb0", "#8a6d3b", "#2aa0a4", "#c9b037")
_OTHERS = "#9aa3ab"
_LONGEST_NAME, _WIDEST_NAME = 26, 180.0
_STEPS_OF_AXES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""The distance between the ticks of an axis is one of these numbers, times a power of ten."""
_EDGE = 3.0
_SMALL = 11.8
"""Font size of numbers and of the legend; names have size 12. Pages show plots at 0.93 of their
size or larger, so that no letter is smaller than 11 pixels."""
_SLANT = 40.0
_THIN = 0.8
_FOOT = 34.0  # Height of an axis' numbers and unit.
_LINE = 16.0
_PITCH = 19.0  # Distance between the bars of a chart.


def draw_chart(chart: Chart) -> Sheet:
    """Draw a bar chart. The bars are vertical if the names have an order, otherwise horizontal."""
    names = [short(bar.name) for bar in chart.bars]
    counts = [bar.count for bar in chart.bars]
    if chart.kind == "ordered":
        return _columns(chart, names, counts)
    floor = _floor(len(names), _PITCH)
    sheet = Sheet(WIDTH, floor + _FOOT)
    colours = [_OTHERS if bar.name.endswith(" others") else _BAR for bar in chart.bars]
    parts = [((count, colour),) for count, colour in zip(counts, colours, strict=True)]
    _rows(sheet, names, parts, chart.unit, floor)
    return sheet


def draw_cross(cross: Cross) -> Sheet:
    """Draw a cross table as rows of stacked bars, with a legend of the colours below them."""
    names = [short(row.name) for row in cross.rows]
    colours = [_colour(cross, position) for position in range(len(cross.columns))]
    parts = [tuple(zip(row.counts, colours, strict=True)) for row in cross.rows]
    title = None if cross.column in {"site", "verdict"} else cross.column
    keys = [(short(name, 22), colour) for name, colour in zip(cross.columns, colours, strict=True)]
    wide = 26 + max((width_of(name, _SMALL) for name, _ in keys), default=0)
    across = max(1, min(6 if _is_levels(cross) else 3, len(keys), int(WIDTH / wide)))
    lines = [keys[start : start + across] for start in range(0, len(keys), across)]
    floor = _floor(len(names), 1.13 * _PITCH)
    height = floor + _FOOT + _LINE * (len(lines) + (title is not None)) + 6
    sheet = Sheet(WIDTH, height)
    _rows(sheet, names, parts, cross.unit, floor)
    y = floor + _FOOT + _SMALL + 2
    if title is not None:
        sheet.text(WIDTH / 2, y, title, _INK, size=_SMALL, anchor="middle")
        y += _LINE
    left = (WIDTH - across * wide + 12) / 2
    for number, line in enumerate(lines):
        for position, (name, colour) in enumerate(line):
            x, base = left + position * wide, y + number * _LINE
            sheet.box(x, base - 8, 10, 8, colour)
            sheet.text(x + 14, base, name, _INK, size=_SMALL)
    return sheet


def _floor(rows: int, pitch: float) -> float:
    return _EDGE + (rows + 0.2) * pitch


def _rows(
    sheet: Sheet,
    names: Sequence[str],
    parts: Sequence[Sequence[tuple[Number, str]]],
    unit: str,
    floor: float,
) -> None:
    left = _EDGE + 3.5 + max(map(width_of, names))
    totals = [sum(count for count, _ in row) for row in parts]
    right = sheet.width - _EDGE
    room = 4 + max(width_of(_number(total), _SMALL) for total in totals)
    scale = max(right - left - room, 1) / (max(totals) or 1)
    pitch = (floor - _EDGE) / (len(names) + 0.2)
    for tick in _ticks((right - left) / scale, 4, unit):
        x = left + tick * scale
        sheet.box(x - _THIN / 2, _EDGE, _THIN, floor - _EDGE, _GRID)
        inside = min(x, right - width_of(_tick(tick)) / 2)
        sheet.text(inside, floor + 14, _tick(tick), _INK, anchor="middle")
    sheet.text((left + right) / 2, floor + 28, unit, _INK, anchor="middle")
    for position, (name, row) in enumerate(zip(names, parts, strict=True)):
        middle = _EDGE + (position + 0.6) * pitch
        x = left
        for count, colour in row:
            sheet.box(x, middle - 0.37 * pitch, count * scale, 0.74 * pitch, colour)
            x += count * scale
        sheet.text(left - 3.5, middle + 4.2, name, _INK, anchor="end")
        sheet.text(x + 3, middle + 4, _number(totals[position]), _INK, size=_SMALL)
    sheet.box(left, floor - _THIN / 2, right - left, _THIN, _GRID)


def _columns(chart: Chart, names: Sequence[str], counts: Sequence[Number]) -> Sheet:
    sheet = Sheet(WIDTH, 180)
    slanted = len(names) > 7 or sum(map(len, names)) > 42
    widths = [width_of(name) for name in names]
    turn = math.radians(_SLANT)
    floor = sheet.height - (10 + max(widths) * math.sin(turn) + 10 if slanted else 20)
    lengths = [width_of(_number(count), _SMALL) for count in counts]
    # Numbers that are wider than their bars are turned upright.
    is_upright = max(lengths) > (sheet.width - 40) / (len(names) + 0.8) - 2
    room = max(lengths) + 6 if is_upright else 15
    scale = (floor - _EDGE - room) / (max(counts) or 1)
    ticks = _ticks((floor - _EDGE) / scale, 8, chart.unit)
    left = 20 + 3.5 + max(width_of(_tick(tick)) for tick in ticks)
    right = sheet.width - _EDGE
    shares = [(0.9 + position) / (len(names) + 0.8) for position in range(len(names))]
    if slanted:  # moves the plot to the right until every slanted name fits
        reach = [width * math.cos(turn) + 11 for width in widths]
        overhangs = [(far - at * right) / (1 - at) for far, at in zip(reach, shares, strict=True)]
        left = max(left, *overhangs)
    for tick in ticks:
        y = floor - tick * scale
        sheet.box(left, y - _THIN / 2, right - left, _THIN, _GRID)
        sheet.text(left - 3.5, y + 4.2, _tick(tick), _INK, anchor="end")
    sheet.text(14, floor / 2, chart.unit, _INK, anchor="middle", angle=90)
    pitch = (right - left) / (len(names) + 0.8)
    for name, count, width, at in zip(names, counts, widths, shares, strict=True):
        x = left + at * (right - left)
        height = count * scale
        sheet.box(x - 0.4 * pitch, floor - height, 0.8 * pitch, height, _BAR)
        above = floor - height - 3
        if is_upright:
            sheet.text(x + 4, above, _number(count), _INK, size=_SMALL, angle=90)
        else:
            sheet.text(x, above, _number(count), _INK, size=_SMALL, anchor="middle")
        if slanted:
            sheet.text(x + 4, floor + 12, name, _INK, anchor="end", angle=_SLANT)
        else:
            inside = min(max(x, _EDGE + width / 2), right - width / 2)
            sheet.text(inside, floor + 14, name, _INK, anchor="middle")
    return sheet


def _is_levels(cross: Cross) -> bool:
    return cross.column == "level"


def _colour(cross: Cross, position: int) -> str:
    if _is_levels(cross):
        name = cross.columns[position]
        return _STEPS[int(name) - 1] if name.isdigit() else _STEPS[-1]
    if cross.columns[position].startswith("other") or position >= len(_COLOURS):
        return _OTHERS
    return _COLOURS[position]


def short(name: str, longest: int = _LONGEST_NAME) -> str:
    """Shorten a name to fit beside a bar.

    Its start and end remain, so that names can be told apart.
    """
    line = " ".join(visible(name).split())
    line = line.removeprefix(SYSTEM_PREFIX)
    short_line = line
    while len(short_line) > longest or (longest > 3 and width_of(short_line) > _WIDEST_NAME):
        longest = min(longest, len(short_line) - 1)
        half = (longest - 1) // 2
        short_line = f"{line[:half]}…{line[-half:]}"
    return short_line


def _ticks(end: float, most: int, unit: str) -> list[float]:
    if end <= 0:
        return [0.0]
    scale = 10 ** math.floor(math.log10(end / most))
    steps = (step * scale * power for power in (1, 10) for step in _STEPS_OF_AXES)
    fitting = (step for step in steps if step * most >= end)
    if unit == "USD":
        step = next(fitting)
    else:
        step = next(
            (
                candidate
                for candidate in fitting
                if candidate >= 1 and candidate == round(candidate)
            ),
            1.0,
        )
    return [step * number for number in range(int(end / step) + 1)]


def _tick(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _number(count: float) -> str:
    return f"{count:,}" if isinstance(count, int) else f"{count:,.2f}"


class Plot(msgspec.Struct, frozen=True):
    """A drawn plot. `svg` is an SVG element for a page, and `text` describes the plot in words."""

    key: str
    title: str
    text: str
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


@lru_cache(maxsize=128)
def draw(figures: Chart | Cross) -> Plot:
    """Draw a chart or a cross table and return the plot."""
    sheet = draw_cross(figures) if isinstance(figures, Cross) else draw_chart(figures)
    text = alternative(figures)
    return Plot(figures.key, figures.title, text, sheet.svg(figures.title, text))


def alternative(figures: Chart | Cross) -> str:
    """Describe a plot in one sentence, for people who cannot see it."""
    if isinstance(figures, Cross):
        names = f"{len(figures.rows)} rows ({figures.row}) by {figures.column}"
        total = sum(sum(row.counts) for row in figures.rows)
        return f"Stacked bars, {figures.title}: {names}, {total:,} {figures.unit} in all."
    highest = max(figures.bars, key=lambda bar: bar.count)
    return (
        f"Bars, {figures.title}: {len(figures.bars)} bars, "
        f"the highest is {highest.name} with {highest.count:,} {figures.unit}."
    )
