"""The call graph of a plan: weak components and a topological order."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

Link = tuple[int, int]
"""A producing and a consuming step."""


def component_sizes(steps: int, links: Iterable[Link]) -> tuple[int, ...]:
    """Sizes of the weakly connected components of steps 0 to `steps` - 1, largest first."""
    parent = list(range(steps))
    for start, end in links:
        first_root, other = _root(parent, start), _root(parent, end)
        parent[max(first_root, other)] = min(first_root, other)
    sizes = [0] * steps
    for step in range(steps):
        sizes[_root(parent, step)] += 1
    return tuple(sorted(filter(None, sizes), reverse=True))


def _root(parent: list[int], step: int) -> int:
    while parent[step] != step:
        step = parent[step]
    return step


def topological_order(steps: int, links: Iterable[Link]) -> tuple[int, ...] | None:
    """The order in which the steps can run, earliest index first; None when there is a cycle."""
    consumers: list[list[int]] = [[] for _ in range(steps)]
    waiting = [0] * steps
    for start, end in links:
        consumers[start].append(end)
        waiting[end] += 1
    ready = [step for step in range(steps) if waiting[step] == 0]
    heapify(ready)
    order: list[int] = []
    while ready:
        step = heappop(ready)
        order.append(step)
        for consumer in consumers[step]:
            waiting[consumer] -= 1
            if waiting[consumer] == 0:
                heappush(ready, consumer)
    return tuple(order) if len(order) == steps else None
