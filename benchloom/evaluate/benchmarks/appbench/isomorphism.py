"""Test whether two graphs of calls are isomorphic: find a bijection between their calls.

A node of a graph is a call. It has a label and a list of producers, which are the calls whose
results it uses, in an order that the label determines. Each call gets a colour from its label, its
producers and its consumers, which is refined until it no longer changes. If calls still share a
colour, one of them is paired with a call of the other graph, and the colours are refined again.
Graph isomorphism is hard in general, so the search is limited.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError

MAX_VISITS = 50_000  # maximum visits of calls in one search; ten calls take about a hundred


class Node(msgspec.Struct, frozen=True):
    """A call in a graph: its label, and the indices of the earlier calls whose results it uses."""

    label: Hashable
    producers: tuple[int, ...] = ()


def bijection(left: Sequence[Node], right: Sequence[Node]) -> tuple[int, ...] | None:
    """Return a one-to-one mapping between the calls of two graphs, or None if they differ.

    The result has, for each call of `left`, the index of its counterpart in `right`. Counterparts
    have equal labels, and their producers are counterparts, in the same order.

    Raises RejectedInputError (`undecided`) if the search takes too long.
    """
    if len(left) != len(right):
        return None
    if list(left) == list(right):
        return tuple(range(len(left)))
    search = _Search(left, right)
    return search.match(search.first_colours())


class _Search:
    """Searches for a bijection between two graphs, whose calls are in one list, `left` first."""

    def __init__(self, left: Sequence[Node], right: Sequence[Node]) -> None:
        self._size = len(left)
        self._labels = [node.label for node in (*left, *right)]
        self._producers = [node.producers for node in left]
        self._producers += [tuple(at + self._size for at in node.producers) for node in right]
        self._consumers: list[list[tuple[int, int]]] = [[] for _ in self._labels]
        for consumer, producers in enumerate(self._producers):
            for slot, producer in enumerate(producers):
                self._consumers[producer].append((slot, consumer))
        self._visits = 0

    def first_colours(self) -> list[int]:
        """Return the initial colour (a number) of each call.

        Two calls get the same colour if their labels are equal and their producers have equal
        colours.
        """
        shape_colours: dict[Hashable, int] = {}
        colours: list[int] = []
        for label, producers in zip(self._labels, self._producers, strict=True):
            shape = (label, tuple(colours[producer] for producer in producers))
            colours.append(shape_colours.setdefault(shape, len(shape_colours)))
        return colours

    def match(self, colours: list[int]) -> tuple[int, ...] | None:
        colours = self._refine(colours)
        ours, theirs = colours[: self._size], colours[self._size :]
        counts = Counter(ours)
        if counts != Counter(theirs):
            return None
        if len(counts) == self._size:
            counterparts = {colour: call_index for call_index, colour in enumerate(theirs)}
            return tuple(counterparts[colour] for colour in ours)
        alike = min((colour for colour in counts if counts[colour] > 1), key=counts.__getitem__)
        new = max(colours) + 1
        chosen = ours.index(alike)
        for position, colour in enumerate(theirs, self._size):
            if colour == alike:
                marked = colours.copy()
                marked[chosen] = marked[position] = new
                mapping = self.match(marked)
                if mapping is not None:
                    return mapping
        return None

    def _refine(self, colours: list[int]) -> list[int]:
        count = len(set(colours))
        while True:
            self._visits += len(colours)
            if self._visits > MAX_VISITS:
                raise RejectedInputError(
                    "undecided", "too many calls are alike to match them with gold"
                )
            shape_colours: dict[Hashable, int] = {}
            finer = []
            for position, colour in enumerate(colours):
                takers = sorted(
                    (slot, colours[consumer]) for slot, consumer in self._consumers[position]
                )
                producer_colours = tuple(
                    colours[producer] for producer in self._producers[position]
                )
                finer.append(
                    shape_colours.setdefault(
                        (colour, producer_colours, tuple(takers)), len(shape_colours)
                    )
                )
            if len(shape_colours) == count:
                return finer
            colours, count = finer, len(shape_colours)
