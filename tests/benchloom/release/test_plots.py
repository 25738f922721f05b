"""Tests of plots: bars have the length of their counts, and everything is within the drawing."""

import math
from xml.etree import ElementTree as ET

import pytest

from benchloom.release.descriptions.figures import Bar, Chart, Cross, CrossRow
from benchloom.release.descriptions.plots import WIDTH, Plot, draw
from benchloom.release.descriptions.plots.sheet import width_of

SVG = "{http://www.w3.org/2000/svg}"
LONG = "is.workflow.actions.of.a.very.long.identifier.that.does.not.fit"
COUNTS = (1204, 37, 0)


def ranked_chart(*names: str, kind: str = "ranked", unit: str = "rows") -> Chart:
    """Return a chart of bars with these names."""
    bars = tuple(Bar(name, COUNTS[at % 3]) for at, name in enumerate(names))
    return Chart("table.figure", "Names", unit, "ordered" if kind == "ordered" else "ranked", bars)


def cross_table(columns: tuple[str, ...], rows: int = 4, column: str = "kind") -> Cross:
    """Return a cross table with these columns."""
    counts = tuple(range(1, len(columns) + 1))
    cross_rows = tuple(CrossRow(f"row {at}", counts) for at in range(rows))
    return Cross("table.cross", "Names", "rows", "name", column, columns, cross_rows)


FIGURES: dict[str, Chart | Cross] = {
    "one bar": ranked_chart("a"),
    "nothing but noughts": Chart("k", "t", "rows", "ranked", (Bar("a", 0), Bar("b", 0))),
    "long names": ranked_chart(LONG, LONG.upper(), "W" * 60),
    "marks and letters": ranked_chart("<b>&amp;</b>", "写真", "a\u202eb\n\tc", ""),
    "many": ranked_chart(*(f"name {at}" for at in range(21))),
    "money": Chart("k", "t", "USD", "ranked", (Bar("a", 0.25), Bar("b", 0.5))),
    "ordered": ranked_chart("1", "2", "3", kind="ordered"),
    "ordered and long": ranked_chart(LONG, "b", "c", kind="ordered"),
    "ordered and two": ranked_chart("W" * 30, "b", kind="ordered"),
    "ordered and many": ranked_chart(
        *(f"from {at} to {at + 9}" for at in range(14)), kind="ordered"
    ),
    "cross": cross_table(("kept", "dropped"), column="verdict"),
    "levels": cross_table(("1", "2", "3", "4", "5", "not stated"), column="level"),
    "wide keys": cross_table(tuple(f"{'W' * 30} {at}" for at in range(9))),
}


@pytest.fixture(params=FIGURES)
def plot(request: pytest.FixtureRequest) -> Plot:
    """The drawn plot of each kind of chart."""
    return draw(FIGURES[request.param])


def elements(plot: Plot, name: str) -> list[ET.Element]:
    """Return the elements of a plot that have a tag."""
    return ET.fromstring(plot.svg).findall(f".//{SVG}{name}")  # noqa: S314  the file is our own


def test_all_elements_are_within_the_drawing(plot: Plot) -> None:
    height = float(plot.svg.split('height="')[1].split("pt")[0])
    assert f'role="img" aria-label="{plot.text[:5]}' in plot.svg
    assert f"<title>{plot.title}</title>" in plot.svg
    for text in elements(plot, "text"):
        size = float(text.attrib["style"].removeprefix("font-size: ").removesuffix("px"))
        assert size > 11.5
        length = width_of(text.text or "", size)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
        degrees = text.get("transform", "rotate(0 ").removeprefix("rotate(").split()[0]
        angle = math.radians(float(degrees))
        ends = [
            (
                float(text.attrib["x"]) + far * length * math.cos(angle),
                float(text.attrib["y"]) + far * length * math.sin(angle),
            )
            for far in (-back, 1 - back)
        ]
        for x, y in ends:
            assert -0.5 <= x <= WIDTH + 0.5, text.text
            assert 0 <= y <= height, text.text
    for box in elements(plot, "rect")[1:]:
        assert float(box.attrib["x"]) >= 0
        assert float(box.attrib["x"]) + float(box.attrib["width"]) <= WIDTH
        assert float(box.attrib["y"]) + float(box.attrib["height"]) <= height


@pytest.mark.parametrize(("kind", "side"), [("ranked", "width"), ("ordered", "height")])
def test_bar_lengths_are_proportional_to_counts(kind: str, side: str) -> None:
    drawn = elements(draw(ranked_chart("a", "b", "c", kind=kind)), "rect")
    bars = [float(box.attrib[side]) for box in drawn if box.get("fill") == "#22628f"]
    assert len(bars) == 3
    assert bars[1] / bars[0] == pytest.approx(37 / 1204, rel=0.01)
    assert bars[2] == 0


def test_stacked_bar_begins_at_the_end_of_the_previous() -> None:
    drawn = elements(draw(cross_table(("kept", "dropped"), rows=1, column="verdict")), "rect")
    kept_boxes, dropped = (
        [box.attrib for box in drawn if box.get("fill") == colour][-2:]
        for colour in ("#22628f", "#e08a1e")
    )
    ends = {float(box["x"]) + float(box["width"]) for box in kept_boxes}
    assert any(math.isclose(float(box["x"]), end, abs_tol=0.02) for box in dropped for end in ends)
    assert float(dropped[0]["width"]) == pytest.approx(2 * float(kept_boxes[0]["width"]), rel=0.01)


def test_names_with_markup_are_drawn_as_text() -> None:
    texts = [element.text for element in elements(draw(FIGURES["marks and letters"]), "text")]
    assert {"<b>&amp;</b>", "写真", "a\ufffdb c"} <= set(texts)


@pytest.mark.parametrize(
    ("text", "length"),
    [("Wetter", 2.945), ("天气预报", 4), ("e\N{COMBINING ACUTE ACCENT}", 0.556), ("Время", 3.89)],
)
def test_width_of_text_in_several_scripts(text: str, length: float) -> None:
    assert width_of(text, 1) == pytest.approx(length)


def test_equal_figures_are_drawn_as_equal_bytes() -> None:
    first = draw(FIGURES["long names"])
    draw.cache_clear()
    assert draw(FIGURES["long names"]) == first
