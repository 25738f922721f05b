"""Tests of data-flow drawings: they check that boxes are apart and every edge has an arrow."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from flows.explorer.views.drawings import MAX_BOXES, Drawing, Edge, Node, draw


def make_nodes(count: int) -> list[Node]:
    return [Node(number + 1, f"step {number}", "c0") for number in range(count)]


def edges_of(*pairs: tuple[int, int]) -> list[Edge]:
    return [Edge(a, b, f"{a} to {b}") for a, b in pairs]


def rows_of(drawing: Drawing) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for box in drawing.boxes:
        rows.setdefault(box.y, []).append(box.x)
    return rows


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60))
def test_boxes_do_not_overlap_and_every_edge_has_an_arrow(edges: list[tuple[int, int]]) -> None:
    drawing = draw(make_nodes(31), edges_of(*edges))
    box_width, box_height = drawing.box
    for columns in rows_of(drawing).values():
        sorted_columns = sorted(columns)
        assert all(b - a >= box_width for a, b in pairwise(sorted_columns))
    assert all(box.x >= 0 and box.x + box_width <= drawing.width for box in drawing.boxes)
    assert all(box.y >= 0 and box.y + box_height <= drawing.height for box in drawing.boxes)
    distinct_edges = {edge for edge in edges if edge[0] != edge[1]}
    assert len(drawing.arrows) == len(distinct_edges)
    assert {arrow.title for arrow in drawing.arrows} == {f"{a} to {b}" for a, b in distinct_edges}
    assert sum(arrow.is_back for arrow in drawing.arrows) == sum(a > b for a, b in distinct_edges)
    connected_nodes = {node for edge in distinct_edges for node in edge}
    assert {box.node.number - 1 for box in drawing.boxes} == connected_nodes
    assert drawing.apart == 31 - len(connected_nodes)
    lines: dict[int, list[tuple[int, int]]] = {}
    for arrow in drawing.arrows:
        span = (arrow.x - 120, arrow.x) if arrow.is_from_below else (arrow.x, arrow.x + 120)
        lines.setdefault(arrow.y, []).append(span)
        assert not any(box.y < arrow.y < box.y + box_height for box in drawing.boxes), "over a box"
    for spans in lines.values():
        assert all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


def test_arrow_ends_at_its_box_and_names_its_values() -> None:
    edges = [Edge(0, 1, "1 name → text"), Edge(0, 1, "1 place → title"), Edge(1, 2, "x" * 300)]
    drawing = draw(make_nodes(3), edges)
    first, second = drawing.arrows
    assert first.title == "1 name → text, 1 place → title"
    box_tops = {box.node.number: box.y for box in drawing.boxes}
    assert first.path.endswith(f"V{box_tops[2] - 2}")
    assert second.label.endswith("…")
    assert len(second.label) < 40


def test_consumers_are_drawn_below_producers() -> None:
    drawing = draw(make_nodes(4), edges_of((0, 1), (1, 2), (0, 2), (2, 3)))
    heights = {box.node.number: box.y for box in drawing.boxes}
    assert heights[1] < heights[2] < heights[3] < heights[4]
    long_path = next(arrow.path for arrow in drawing.arrows if arrow.path.count("C") == 2)
    assert re.fullmatch(r"(M[\d. -]+|C[\d. -]+|V[\d.-]+)+", long_path)


def test_only_the_first_steps_of_many_are_drawn() -> None:
    drawing = draw(
        make_nodes(5000),
        edges_of(*((origin, other) for other in range(5000) for origin in (0, other - 1))),
    )
    assert len(drawing.boxes) == MAX_BOXES
    assert drawing.left == 5000 - MAX_BOXES
    assert draw(make_nodes(3), edges_of((7, 8), (-1, 0), (1, 1))).boxes == ()
