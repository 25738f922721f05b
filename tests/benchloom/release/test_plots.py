"""Plots: bars as long as their counts, everything on the sheet, the same bytes twice."""

import math
from xml.etree import ElementTree as ET

import pytest

from benchloom.release.descriptions.figures import Bar, Chart, Cross, CrossRow
from benchloom.release.descriptions.plots import WIDTH, Plot, draw
from benchloom.release.descriptions.plots.sheet import width_of

SVG = "{http://www.w3.org/2000/svg}"
LONG = "is.workflow.actions.of.a.very.long.identifier.that.does.not.fit"
COUNTS = (1204, 37, 0)


def ranked(*names: str, kind: str = "ranked", unit: str = "rows") -> Chart:
    bars = tuple(Bar(name, COUNTS[at % 3]) for at, name in enumerate(names))
    return Chart("table.figure", "Names", unit, "ordered" if kind == "ordered" else "ranked", bars)


def crossed(columns: tuple[str, ...], rows: int = 4, column: str = "kind") -> Cross:
    counts = tuple(range(1, len(columns) + 1))
    cross_rows = tuple(CrossRow(f"row {at}", counts) for at in range(rows))
    return Cross("table.cross", "Names", "rows", "name", column, columns, cross_rows)


FIGURES: dict[str, Chart | Cross] = {
    "one bar": ranked("a"),
    "nothing but noughts": Chart("k", "t", "rows", "ranked", (Bar("a", 0), Bar("b", 0))),
    "long names": ranked(LONG, LONG.upper(), "W" * 60),
    "marks and letters": ranked("<b>&amp;</b>", "写真", "a\u202eb\n\tc", ""),
    "many": ranked(*(f"name {at}" for at in range(21))),
    "money": Chart("k", "t", "USD", "ranked", (Bar("a", 0.25), Bar("b", 0.5))),
    "ordered": ranked("1", "2", "3", kind="ordered"),
    "ordered and long": ranked(LONG, "b", "c", kind="ordered"),
    "ordered and two": ranked("W" * 30, "b", kind="ordered"),
    "ordered and many": ranked(*(f"from {at} to {at + 9}" for at in range(14)), kind="ordered"),
    "cross": crossed(("kept", "dropped"), column="verdict"),
    "levels": crossed(("1", "2", "3", "4", "5", "not stated"), column="level"),
    "wide keys": crossed(tuple(f"{'W' * 30} {at}" for at in range(9))),
}


@pytest.fixture(params=FIGURES)
def plot(request: pytest.FixtureRequest) -> Plot:
    return draw(FIGURES[request.param])


def elements(plot: Plot, name: str) -> list[ET.Element]:
    return ET.fromstring(plot.svg).findall(f".//{SVG}{name}")  # noqa: S314  the file is our own


def test_everything_stands_on_the_sheet(plot: Plot) -> None:
    height = float(plot.svg.split('height="')[1].split("pt")[0])
    assert f'role="img" aria-label="{plot.text[:5]}' in plot.svg
    assert f"<title>{plot.title}</title>" in plot.svg
    for text in elements(plot, "text"):
        size = float(text.attrib["style"].removeprefix("font-size: ").removesuffix("px"))
        assert size > 11.5
        length = width_of(text.text or "", size)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
        turned = text.get("transform", "rotate(0 ").removeprefix("rotate(").split()[0]
        turn = math.radians(float(turned))
        ends = [
            (
                float(text.attrib["x"]) + far * length * math.cos(turn),
                float(text.attrib["y"]) + far * length * math.sin(turn),
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
def test_bars_are_as_long_as_their_counts(kind: str, side: str) -> None:
    drawn = elements(draw(ranked("a", "b", "c", kind=kind)), "rect")
    bars = [float(box.attrib[side]) for box in drawn if box.get("fill") == "#22628f"]
    assert len(bars) == 3
    assert bars[1] / bars[0] == pytest.approx(37 / 1204, rel=0.01)
    assert bars[2] == 0


def test_stacked_bars_begin_where_the_one_before_ends() -> None:
    drawn = elements(draw(crossed(("kept", "dropped"), rows=1, column="verdict")), "rect")
    kept_boxes, dropped = (
        [box.attrib for box in drawn if box.get("fill") == colour][-2:]
        for colour in ("#22628f", "#e08a1e")
    )
    ends = {float(box["x"]) + float(box["width"]) for box in kept_boxes}
    assert any(math.isclose(float(box["x"]), end, abs_tol=0.02) for box in dropped for end in ends)
    assert float(dropped[0]["width"]) == pytest.approx(2 * float(kept_boxes[0]["width"]), rel=0.01)


def test_names_stay_texts_and_are_never_markup() -> None:
    texts = [element.text for element in elements(draw(FIGURES["marks and letters"]), "text")]
    assert {"<b>&amp;</b>", "写真", "a\ufffdb c"} <= set(texts)


@pytest.mark.parametrize(
    ("text", "length"),
    [("Wetter", 2.945), ("天气预报", 4), ("e\N{COMBINING ACUTE ACCENT}", 0.556), ("Время", 3.89)],
)
def test_texts_of_every_script_have_a_length(text: str, length: float) -> None:
    assert width_of(text, 1) == pytest.approx(length)


def test_the_same_figures_are_the_same_bytes() -> None:
    first = draw(FIGURES["long names"])
    draw.cache_clear()
    assert draw(FIGURES["long names"]) == first
