"""Drawings of data flow: boxes that do not touch, a line for every edge, and bounds."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from flows.explorer.views.drawings import MAX_BOXES, Drawing, Edge, Node, draw


def nodes(count: int) -> list[Node]:
    return [Node(number + 1, f"step {number}", "c0") for number in range(count)]


def joined(*pairs: tuple[int, int]) -> list[Edge]:
    return [Edge(a, b, f"{a} to {b}") for a, b in pairs]


def rows_of(drawing: Drawing) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for box in drawing.boxes:
        rows.setdefault(box.y, []).append(box.x)
    return rows


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60))
def test_boxes_lie_apart_and_inside_and_every_edge_is_a_line(edges: list[tuple[int, int]]) -> None:
    drawing = draw(nodes(31), joined(*edges))
    wide, high = drawing.box
    for places in rows_of(drawing).values():
        ordered = sorted(places)
        assert all(b - a >= wide for a, b in pairwise(ordered))
    assert all(box.x >= 0 and box.x + wide <= drawing.width for box in drawing.boxes)
    assert all(box.y >= 0 and box.y + high <= drawing.height for box in drawing.boxes)
    distinct = {edge for edge in edges if edge[0] != edge[1]}
    assert len(drawing.arrows) == len(distinct)
    assert {arrow.title for arrow in drawing.arrows} == {f"{a} to {b}" for a, b in distinct}
    assert sum(arrow.is_back for arrow in drawing.arrows) == sum(a > b for a, b in distinct)
    ends = {node for edge in distinct for node in edge}
    assert {box.node.number - 1 for box in drawing.boxes} == ends
    assert drawing.apart == 31 - len(ends)
    lines: dict[int, list[tuple[int, int]]] = {}
    for arrow in drawing.arrows:
        span = (arrow.x - 120, arrow.x) if arrow.is_from_below else (arrow.x, arrow.x + 120)
        lines.setdefault(arrow.y, []).append(span)
        assert not any(box.y < arrow.y < box.y + high for box in drawing.boxes), "over a box"
    for spans in lines.values():
        assert all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


def test_an_arrow_ends_at_its_box_and_tells_everything_that_it_carries() -> None:
    flows = [Edge(0, 1, "1 name → text"), Edge(0, 1, "1 place → title"), Edge(1, 2, "x" * 300)]
    drawing = draw(nodes(3), flows)
    first, second = drawing.arrows
    assert first.title == "1 name → text, 1 place → title"
    tops = {box.node.number: box.y for box in drawing.boxes}
    assert first.path.endswith(f"V{tops[2] - 2}")
    assert second.label.endswith("…")
    assert len(second.label) < 40


def test_who_takes_something_stands_below_who_makes_it() -> None:
    drawing = draw(nodes(4), joined((0, 1), (1, 2), (0, 2), (2, 3)))
    heights = {box.node.number: box.y for box in drawing.boxes}
    assert heights[1] < heights[2] < heights[3] < heights[4]
    long = next(arrow.path for arrow in drawing.arrows if arrow.path.count("C") == 2)
    assert re.fullmatch(r"(M[\d. -]+|C[\d. -]+|V[\d.-]+)+", long)


def test_of_many_steps_the_first_are_drawn() -> None:
    drawing = draw(
        nodes(5000),
        joined(*((origin, other) for other in range(5000) for origin in (0, other - 1))),
    )
    assert len(drawing.boxes) == MAX_BOXES
    assert drawing.left == 5000 - MAX_BOXES
    assert draw(nodes(3), joined((7, 8), (-1, 0), (1, 1))).boxes == ()
