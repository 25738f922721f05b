"""Data flow as a drawing: boxes in layers from top to bottom, and who takes what of whom."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

MOST_BOXES = 120
"""Boxes that are drawn; of more the first ones are."""
_MOST_BENDS = 3000
_WIDE, _HIGH, _ACROSS, _DOWN, _BEND = 216, 34, 22, 40, 18
_LONGEST = 27


class Node(msgspec.Struct, frozen=True):
    """What is drawn as a box: its number for people, its label, its class of colour."""

    number: int
    label: str
    colour: str


class Box(msgspec.Struct, frozen=True):
    """A box by its upper left corner, in pixels."""

    node: Node
    label: str
    x: int
    y: int


class Drawing(msgspec.Struct, frozen=True):
    """Boxes and curves in pixels; `apart` boxes have no data flow, `left` are not drawn at all.

    A curve is the path of an SVG, and whether it leads back, as in loops.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    curves: tuple[tuple[str, bool], ...]
    apart: int
    left: int
    box: tuple[int, int] = (_WIDE, _HIGH)


class _Place:
    """A box, or a bend of a line that passes a layer."""

    def __init__(self, node: int | None, width: int) -> None:
        self.node = node
        self.width = width
        self.above: list[_Place] = []
        self.x = 0.0
        self.y = 0.0


def draw(nodes: Sequence[Node], edges: Iterable[tuple[int, int]]) -> Drawing:
    """Draw the nodes that edges join; an edge leads from the place of one to that of another."""
    found = sorted(
        {(a, b) for a, b in edges if a != b and max(a, b) < len(nodes) and min(a, b) >= 0}
    )
    joined = sorted({one for edge in found for one in edge})
    kept = set(joined[:MOST_BOXES])
    found = [edge for edge in found if kept.issuperset(edge)]
    layers = _layers(found, kept)
    rows, chains = _rows(found, layers)
    width = max((sum(one.width + _ACROSS for one in row) for row in rows), default=0)
    _settle(rows, width)
    boxes = [
        Box(nodes[one.node], _short(nodes[one.node]), round(one.x), round(one.y))
        for row in rows
        for one in row
        if one.node is not None
    ]
    return Drawing(
        width=width,
        height=len(rows) * (_HIGH + _DOWN) - _DOWN + 2 if rows else 0,
        boxes=tuple(sorted(boxes, key=lambda box: box.node.number)),
        curves=tuple((_curve(chain), back) for chain, back in chains),
        apart=len(nodes) - len(joined),
        left=len(joined) - len(kept),
    )


def _layers(edges: Sequence[tuple[int, int]], kept: Iterable[int]) -> dict[int, int]:
    """How many steps lead to each node at most; edges that lead back do not count."""
    found = dict.fromkeys(kept, 0)
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        if source < target:
            found[target] = max(found[target], found[source] + 1)
    return found


def _rows(
    edges: Sequence[tuple[int, int]], layers: dict[int, int]
) -> tuple[list[list[_Place]], list[tuple[list[_Place], bool]]]:
    """The places of every layer, bends of long lines among them, and the lines through them."""
    rows: list[list[_Place]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    places = {one: _Place(one, _WIDE) for one in sorted(layers)}
    for one, place in places.items():
        rows[layers[one]].append(place)
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
    """Give every place its corner: below what it takes, as far as its neighbours leave room."""
    for number, row in enumerate(rows):
        wished = {
            id(one): (
                sum(up.x + up.width / 2 for up in one.above) / len(one.above)
                if one.above
                else width / 2
            )
            for one in row
        }
        row.sort(key=lambda one: wished[id(one)])
        taken = 0.0
        for one in row:
            one.y = number * (_HIGH + _DOWN) + 1
            one.x = max(taken, wished[id(one)] - one.width / 2)
            taken = one.x + one.width + _ACROSS
        beyond = taken - _ACROSS - (width - _ACROSS)
        limit = float(width - _ACROSS)
        if beyond > 0:
            for one in reversed(row):
                one.x = min(one.x, limit - one.width)
                limit = one.x - _ACROSS


def _curve(chain: Sequence[_Place]) -> str:
    """A smooth line from the foot of the first place through the bends to the head of the last."""
    first = chain[0]
    down = first.y <= chain[-1].y
    told = [f"M{_middle(first)} {first.y + (_HIGH if down else 0):.0f}"]
    for above, below in pairwise(chain):
        start = above.y + (_HIGH if down else 0)
        end = below.y + (0 if down else _HIGH)
        half = (start + end) / 2
        told.append(
            f"C{_middle(above)} {half:.0f} {_middle(below)} {half:.0f} {_middle(below)} {end:.0f}"
        )
        if below.node is None:
            told.append(f"V{below.y + (_HIGH if down else 0):.0f}")
    return "".join(told)


def _middle(place: _Place) -> str:
    return f"{place.x + place.width / 2:.0f}"


def _short(node: Node) -> str:
    text = f"{node.number} {node.label}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
