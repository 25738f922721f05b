"""Drawings of data flow: boxes that do not touch, a line for every edge, and bounds."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from flows.explorer.views.drawings import MOST_BOXES, Drawing, Node, draw


def nodes(count: int) -> list[Node]:
    return [Node(number + 1, f"step {number}", "c0") for number in range(count)]


def rows_of(drawing: Drawing) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for box in drawing.boxes:
        rows.setdefault(box.y, []).append(box.x)
    return rows


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60))
def test_boxes_lie_apart_and_inside_and_every_edge_is_a_line(edges: list[tuple[int, int]]) -> None:
    drawing = draw(nodes(31), edges)
    wide, high = drawing.box
    for places in rows_of(drawing).values():
        ordered = sorted(places)
        assert all(b - a >= wide for a, b in pairwise(ordered))
    assert all(box.x >= 0 and box.x + wide <= drawing.width for box in drawing.boxes)
    assert all(box.y >= 0 and box.y + high <= drawing.height for box in drawing.boxes)
    distinct = {edge for edge in edges if edge[0] != edge[1]}
    assert len(drawing.curves) == len(distinct)
    assert sum(back for _, back in drawing.curves) == sum(a > b for a, b in distinct)
    joined = {node for edge in distinct for node in edge}
    assert {box.node.number - 1 for box in drawing.boxes} == joined
    assert drawing.apart == 31 - len(joined)


def test_who_takes_something_stands_below_who_makes_it() -> None:
    drawing = draw(nodes(4), [(0, 1), (1, 2), (0, 2), (2, 3)])
    heights = {box.node.number: box.y for box in drawing.boxes}
    assert heights[1] < heights[2] < heights[3] < heights[4]
    long = next(path for path, _ in drawing.curves if path.count("C") == 2)
    assert re.fullmatch(r"(M[\d. -]+|C[\d. -]+|V[\d.-]+)+", long)


def test_of_many_steps_the_first_are_drawn() -> None:
    drawing = draw(
        nodes(5000), [(origin, other) for other in range(5000) for origin in (0, other - 1)]
    )
    assert len(drawing.boxes) == MOST_BOXES
    assert drawing.left == 5000 - MOST_BOXES
    assert draw(nodes(3), [(7, 8), (-1, 0), (1, 1)]).boxes == ()
