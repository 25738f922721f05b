"""Draw data flow: boxes in layers from top to bottom, joined from producer to consumer."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

MOST_BOXES = 120
"""Boxes that are drawn; of more the first ones are."""
_MOST_BENDS = 3000
_WIDE, _HIGH, _ACROSS, _DOWN, _BEND = 216, 34, 22, 40, 18
_LONGEST = 27


class Node(msgspec.Struct, frozen=True):
    """A node to draw as a box: its number as shown, its label, its CSS colour class."""

    number: int
    label: str
    colour: str


class Box(msgspec.Struct, frozen=True):
    """A box; its position is its upper left corner, in pixels."""

    node: Node
    label: str
    x: int
    y: int


class Drawing(msgspec.Struct, frozen=True):
    """Boxes and curves in pixels; `apart` counts nodes without data flow, `left` omitted boxes.

    A curve is an SVG path, with a flag that is true if the curve leads back, as in loops.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    curves: tuple[tuple[str, bool], ...]
    apart: int
    left: int
    box: tuple[int, int] = (_WIDE, _HIGH)


class _Place:
    """A position in a layer: a box, or the bend of a line that crosses the layer."""

    def __init__(self, node: int | None, width: int) -> None:
        self.node = node
        self.width = width
        self.above: list[_Place] = []
        self.x = 0.0
        self.y = 0.0


def draw(nodes: Sequence[Node], edges: Iterable[tuple[int, int]]) -> Drawing:
    """Draw the nodes that have edges; an edge is a pair of node positions, source first."""
    distinct_edges = sorted(
        {(a, b) for a, b in edges if a != b and max(a, b) < len(nodes) and min(a, b) >= 0}
    )
    joined = sorted({node_index for edge in distinct_edges for node_index in edge})
    visible_nodes = set(joined[:MOST_BOXES])
    distinct_edges = [edge for edge in distinct_edges if visible_nodes.issuperset(edge)]
    layers = _layers(distinct_edges, visible_nodes)
    rows, chains = _rows(distinct_edges, layers)
    width = max((sum(position.width + _ACROSS for position in row) for row in rows), default=0)
    _settle(rows, width)
    boxes = [
        Box(
            nodes[position.node], _short(nodes[position.node]), round(position.x), round(position.y)
        )
        for row in rows
        for position in row
        if position.node is not None
    ]
    return Drawing(
        width=width,
        height=len(rows) * (_HIGH + _DOWN) - _DOWN + 2 if rows else 0,
        boxes=tuple(sorted(boxes, key=lambda box: box.node.number)),
        curves=tuple((_curve(chain), back) for chain, back in chains),
        apart=len(nodes) - len(joined),
        left=len(joined) - len(visible_nodes),
    )


def _layers(edges: Sequence[tuple[int, int]], nodes: Iterable[int]) -> dict[int, int]:
    """Return each node's layer: its longest path in edges, without edges that lead back."""
    layers = dict.fromkeys(nodes, 0)
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        if source < target:
            layers[target] = max(layers[target], layers[source] + 1)
    return layers


def _rows(
    edges: Sequence[tuple[int, int]], layers: dict[int, int]
) -> tuple[list[list[_Place]], list[tuple[list[_Place], bool]]]:
    """Return the positions in every layer, including bends of long lines, and the lines."""
    rows: list[list[_Place]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    places = {node_index: _Place(node_index, _WIDE) for node_index in sorted(layers)}
    for node_index, position in places.items():
        rows[layers[node_index]].append(position)
    chains: list[tuple[list[_Place], bool]] = []
    bends = 0
    for source, target in edges:
        back = source > target
        first, last = (target, source) if back else (source, target)
        chain = [places[first]]
        if bends < _MOST_BENDS:
            for layer in range(layers[first] + 1, layers[last]):
                bend = _Place(None, _BEND)
                bend.above.append(chain[-1])
                rows[layer].append(bend)
                chain.append(bend)
                bends += 1
        if layers[first] < layers[last]:
            places[last].above.append(chain[-1])
        chain.append(places[last])
        chains.append((chain[::-1] if back else chain, back))
    return rows, chains


def _settle(rows: Sequence[list[_Place]], width: int) -> None:
    """Set the corner of every position: below its sources, as far as there is room."""
    for number, row in enumerate(rows):
        wished = {
            id(position): (
                sum(up.x + up.width / 2 for up in position.above) / len(position.above)
                if position.above
                else width / 2
            )
            for position in row
        }
        row.sort(key=lambda position: wished[id(position)])
        taken = 0.0
        for position in row:
            position.y = number * (_HIGH + _DOWN) + 1
            position.x = max(taken, wished[id(position)] - position.width / 2)
            taken = position.x + position.width + _ACROSS
        beyond = taken - _ACROSS - (width - _ACROSS)
        limit = float(width - _ACROSS)
        if beyond > 0:
            for position in reversed(row):
                position.x = min(position.x, limit - position.width)
                limit = position.x - _ACROSS


def _curve(chain: Sequence[_Place]) -> str:
    """Return a smooth line from the bottom of the first box via the bends to the last box."""
    first = chain[0]
    down = first.y <= chain[-1].y
    segments = [f"M{_middle(first)} {first.y + (_HIGH if down else 0):.0f}"]
    for above, below in pairwise(chain):
        start = above.y + (_HIGH if down else 0)
        end = below.y + (0 if down else _HIGH)
        half = (start + end) / 2
        segments.append(
            f"C{_middle(above)} {half:.0f} {_middle(below)} {half:.0f} {_middle(below)} {end:.0f}"
        )
        if below.node is None:
            segments.append(f"V{below.y + (_HIGH if down else 0):.0f}")
    return "".join(segments)


def _middle(position: _Place) -> str:
    return f"{position.x + position.width / 2:.0f}"


def _short(node: Node) -> str:
    text = f"{node.number} {node.label}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
