"""Draw data flow as boxes in layers from top to bottom, with arrows from producer to consumer.

Below each layer there is room for the curves of the arrows. Below the curves there is a line of
text for each arrow that ends in the next layer, so that no curve crosses a label.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

MAX_BOXES = 120
"""Maximum number of drawn boxes. Later boxes are left out."""
_MAX_BENDS = 3000
_WIDE, _HIGH, _ACROSS, _CURVE, _BEND = 216, 34, 22, 36, 18
_LINE, _TIP, _PORT, _MAX_PORTS = 16, 2, 14, 80
"""In pixels, the height of a line of labels, the height of an arrow's tip, the distance of a box's
first port from its edge, and the total width of a box's ports."""
_LETTER, _SMALL_LETTER = 7.6, 6.9
"""Average width of a letter in a box and in a label, in pixels."""


class Node(msgspec.Struct, frozen=True):
    """A node that is drawn as a box, with its displayed number, its label and its CSS class."""

    number: int
    label: str
    colour: str


class Edge(msgspec.Struct, frozen=True):
    """A data flow between two nodes; `label` is its name.

    `source` and `target` are the positions of the nodes in their list.
    """

    source: int
    target: int
    label: str = ""


class Box(msgspec.Struct, frozen=True):
    """A drawn box. Its position is that of its upper left corner, in pixels."""

    node: Node
    label: str
    x: int
    y: int


class Arrow(msgspec.Struct, frozen=True):
    """An arrow: its SVG path, its label, and the point at which the label begins or ends.

    `is_back` is true if the arrow leads back, as in loops. A label of an arrow that comes from
    below ends at its point; every other label begins there. `title` is the whole label.
    """

    path: str
    is_back: bool
    is_from_below: bool
    label: str
    title: str
    x: int
    y: int


class Drawing(msgspec.Struct, frozen=True):
    """A drawing of boxes and arrows. All positions and sizes are in pixels.

    `apart` counts the nodes without edges, which are not drawn, and `left` the nodes beyond the
    maximum number of boxes.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    apart: int
    left: int
    box: tuple[int, int] = (_WIDE, _HIGH)


class _LayerPosition:
    """A position in a layer: a box, or the bend of a line that crosses the layer."""

    def __init__(self, node: int | None, row: int, width: int) -> None:
        self.node = node
        self.row = row
        self.width = width
        self.above: list[_LayerPosition] = []
        self.x = 0.0

    @property
    def middle(self) -> float:
        """The x coordinate of the middle of the box, in pixels."""
        return self.x + self.width / 2


class _Line:
    """The line of one arrow, with the arrow's label.

    `chain` contains its positions from producer to consumer.
    """

    def __init__(self, chain: Sequence[_LayerPosition], label: str, *, is_back: bool) -> None:
        self.chain = chain
        self.label = label
        self.is_back = is_back
        self.is_from_below = chain[0].row >= chain[-1].row


class _Heights:
    """The vertical positions of the boxes in each layer, and of the labels above and below them."""

    def __init__(self, rows: int, lines: Sequence[_Line]) -> None:
        above, below = [0] * rows, [0] * rows
        for box_lines in _by_box(lines).values():
            row, is_from_below = box_lines[0].chain[-1].row, box_lines[0].is_from_below
            counts = below if is_from_below else above
            counts[row] = max(counts[row], len(box_lines))
        self.top: list[int] = []
        """The upper edge of the boxes of each layer."""
        self.roof: list[int] = []
        """The upper edge of the labels above the boxes of each layer, where curves end."""
        self.floor: list[int] = []
        """The lower edge of the labels below the boxes of each layer, where curves begin."""
        y = 1
        for row in range(rows):
            self.roof.append(y)
            self.top.append(y + (above[row] * _LINE + 8 if above[row] else 0))
            self.floor.append(self.top[row] + _HIGH + (below[row] * _LINE + 8 if below[row] else 0))
            y = self.floor[row] + _CURVE
        self.whole = y - (0 if rows and below[-1] else _CURVE) + 1 if rows else 0


def draw(nodes: Sequence[Node], edges: Iterable[Edge]) -> Drawing:
    """Draw the nodes that have edges. All edges between the same two nodes become one arrow."""
    labels: dict[tuple[int, int], dict[str, None]] = {}
    for edge in edges:
        ends = (edge.source, edge.target)
        if edge.source != edge.target and min(ends) >= 0 and max(ends) < len(nodes):
            labels.setdefault(ends, {})[edge.label] = None
    joined = sorted({node_index for ends in labels for node_index in ends})
    visible_nodes = set(joined[:MAX_BOXES])
    visible_edges = sorted(ends for ends in labels if visible_nodes.issuperset(ends))
    rows, lines = _rows(visible_edges, _layers(visible_edges, visible_nodes), labels)
    width = max((sum(position.width + _ACROSS for position in row) for row in rows), default=0)
    _settle(rows, width)
    heights = _Heights(len(rows), lines)
    boxes = [
        Box(
            nodes[position.node],
            _fitting(f"{nodes[position.node].number} {nodes[position.node].label}", _WIDE - 18),
            round(position.x),
            heights.top[position.row],
        )
        for row in rows
        for position in row
        if position.node is not None
    ]
    return Drawing(
        width=width,
        height=heights.whole,
        boxes=tuple(sorted(boxes, key=lambda box: box.node.number)),
        arrows=tuple(_arrows(lines, heights)),
        apart=len(nodes) - len(joined),
        left=len(joined) - len(visible_nodes),
    )


def _layers(edges: Sequence[tuple[int, int]], nodes: Iterable[int]) -> dict[int, int]:
    """Return the layer of each node, which is the number of edges on the longest path to it.

    Edges that lead back are ignored.
    """
    layers = dict.fromkeys(nodes, 0)
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        if source < target:
            layers[target] = max(layers[target], layers[source] + 1)
    return layers


def _rows(
    edges: Sequence[tuple[int, int]],
    layers: dict[int, int],
    labels: dict[tuple[int, int], dict[str, None]],
) -> tuple[list[list[_LayerPosition]], list[_Line]]:
    """Return the positions in every layer (boxes and bends of long lines), and the lines."""
    rows: list[list[_LayerPosition]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    positions = {index: _LayerPosition(index, layers[index], _WIDE) for index in sorted(layers)}
    for position in positions.values():
        rows[position.row].append(position)
    lines: list[_Line] = []
    bends = 0
    for source, target in edges:
        is_upwards = layers[source] > layers[target]
        upper, lower = (target, source) if is_upwards else (source, target)
        chain = [positions[upper]]
        if bends < _MAX_BENDS:
            for layer in range(layers[upper] + 1, layers[lower]):
                bend = _LayerPosition(None, layer, _BEND)
                bend.above.append(chain[-1])
                rows[layer].append(bend)
                chain.append(bend)
                bends += 1
        if layers[upper] < layers[lower]:
            positions[lower].above.append(chain[-1])
        chain.append(positions[lower])
        label = ", ".join(filter(None, labels[source, target]))
        ordered_chain = chain[::-1] if is_upwards else chain
        lines.append(_Line(ordered_chain, label, is_back=source > target))
    return rows, lines


def _settle(rows: Sequence[list[_LayerPosition]], width: int) -> None:
    """Set the left edge of every position, as directly below its sources as space allows."""
    for row in rows:
        targets = {
            id(position): (
                sum(up.middle for up in position.above) / len(position.above)
                if position.above
                else width / 2
            )
            for position in row
        }
        row.sort(key=lambda position: targets[id(position)])
        left_edge = 0.0
        for position in row:
            position.x = max(left_edge, targets[id(position)] - position.width / 2)
            left_edge = position.x + position.width + _ACROSS
        # Positions that were pushed beyond the right edge push back, from right to left.
        beyond = left_edge - _ACROSS - (width - _ACROSS)
        limit = float(width - _ACROSS)
        if beyond > 0:
            for position in reversed(row):
                position.x = min(position.x, limit - position.width)
                limit = position.x - _ACROSS


def _by_box(lines: Sequence[_Line]) -> dict[tuple[int, bool], list[_Line]]:
    groups: dict[tuple[int, bool], list[_Line]] = {}
    for line in lines:
        groups.setdefault((id(line.chain[-1]), line.is_from_below), []).append(line)
    return groups


def _arrows(lines: Sequence[_Line], heights: _Heights) -> Iterable[Arrow]:
    """Yield the arrows; arrows into the same box end side by side, with their labels in rows."""
    for box_lines in _by_box(lines).values():
        box_lines.sort(key=lambda line: line.chain[-2].middle)
        step = min(10.0, _MAX_PORTS / len(box_lines))
        for number, line in enumerate(box_lines):
            box = line.chain[-1]
            port = _PORT + number * step
            text = _PORT + (len(box_lines) - 1) * step + 8
            if line.is_from_below:
                port, text = _WIDE - port, _WIDE - text
                y = heights.top[box.row] + _HIGH + _LINE * (number + 1)
            else:
                y = heights.roof[box.row] + _LINE * (number + 1) - 2
            room = _WIDE + _ACROSS - 8 - _PORT - (len(box_lines) - 1) * step - 8
            yield Arrow(
                path=_path(line, heights, box.x + port),
                is_back=line.is_back,
                is_from_below=line.is_from_below,
                label=_fitting(line.label, room, _SMALL_LETTER),
                title=line.label,
                x=round(box.x + text),
                y=y,
            )


def _path(line: _Line, heights: _Heights, port: float) -> str:
    """Return a smooth SVG line from the first box along the bends to a port of the last box."""
    first, last = line.chain[0], line.chain[-1]
    is_upwards = first.row > last.row
    start_edges, end_edges = (
        (heights.roof, heights.floor) if is_upwards else (heights.floor, heights.roof)
    )
    if first.row == last.row:
        end_edges = heights.floor
    x = first.x + _WIDE - _PORT if is_upwards else first.middle
    segments = [f"M{x:.0f} {heights.top[first.row] + (0 if is_upwards else _HIGH)}"]
    for here, there in pairwise(line.chain):
        start, end = start_edges[here.row], end_edges[there.row]
        half = start + _CURVE if first.row == last.row else (start + end) / 2
        next_x = port if there is last else there.middle
        segments.append(f"V{start}")
        segments.append(f"C{x:.0f} {half:.0f} {next_x:.0f} {half:.0f} {next_x:.0f} {end}")
        x = next_x
    tip = heights.top[last.row] + (_HIGH + _TIP if line.is_from_below else -_TIP)
    return "".join((*segments, f"V{tip}"))


def _fitting(text: str, room: float, letter_width: float = _LETTER) -> str:
    """Shorten a text to a width in pixels; East Asian letters are almost twice as wide."""
    text_width = 0.0
    for index, letter in enumerate(text):
        text_width += letter_width * (1.7 if unicodedata.east_asian_width(letter) in "WF" else 1)
        if text_width > room:
            return text[: max(index - 1, 1)] + "…"
    return text
