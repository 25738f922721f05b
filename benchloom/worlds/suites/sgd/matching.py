"""Match rows with queries, and order rows so that queries return the recorded results."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

import msgspec

from benchloom.worlds.suites.sgd.start import Method

MAX_ROWS = 10
"""The maximum number of rows in a result."""
ANY = "dontcare"
"""The argument value that matches every value."""
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


def fits(row: Mapping[str, str], criteria: Mapping[str, str], method: Method) -> bool:
    """Whether a row matches all criteria; times may differ by the method's tolerance."""
    for name, value in criteria.items():
        cell = row.get(name)
        if value in {cell, ANY}:
            continue
        minutes = next(
            (argument.minutes for argument in method.arguments if argument.name == name), 0
        )
        if cell is None or not minutes or not _near(cell, value, minutes):
            return False
    return True


def _near(cell_time: str, requested_time: str, minutes: int) -> bool:
    times = [_TIME.fullmatch(text) for text in (cell_time, requested_time)]
    minutes_of_day = [int(time[1]) * 60 + int(time[2]) for time in times if time is not None]
    return (
        len(minutes_of_day) == len(times) and abs(minutes_of_day[0] - minutes_of_day[1]) <= minutes
    )


class RecordedQuery(msgspec.Struct, frozen=True):
    """A recorded query: its arguments, and the indices of the returned rows."""

    arguments: Mapping[str, str]
    positions: tuple[int, ...]


def ranked(
    rows: Sequence[Mapping[str, str]], queries: Sequence[RecordedQuery], method: Method
) -> list[int]:
    """Return an order of the rows in which every query returns its recorded rows first.

    The rows of a result stay in order, before other matching rows that a full result omitted. If
    results contradict each other, their rows stay in the order of the recording.
    """
    after: dict[int, set[int]] = defaultdict(set)
    for query in queries:
        for first, second in zip(query.positions, query.positions[1:], strict=False):
            after[first].add(second)
        if len(query.positions) == MAX_ROWS:
            own = set(query.positions)
            after[query.positions[-1]].update(
                index
                for index, row in enumerate(rows)
                if index not in own and fits(row, query.arguments, method)
            )
    return _sort(len(rows), after)


def _sort(count: int, after: Mapping[int, set[int]]) -> list[int]:
    """Sort indices topologically; among the possible indices the lowest comes first."""
    waiting = [0] * count
    for positions in after.values():
        for index in positions:
            waiting[index] += 1
    ready = [index for index in range(count) if not waiting[index]]
    heapify(ready)
    order: list[int] = []
    while ready:
        index = heappop(ready)
        order.append(index)
        for behind in sorted(after.get(index, ())):
            waiting[behind] -= 1
            if not waiting[behind]:
                heappush(ready, behind)
    return [*order, *sorted(set(range(count)).difference(order))]
