"""Match rows with queries, and order rows so that queries return the recorded results."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import pairwise

import msgspec

from benchloom.worlds.suites.sgd.start import Method

MAX_ROWS = 10
"""The maximum number of rows in a result."""
ANY = "dontcare"
"""The argument value that matches every value."""
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


def fits(row: Mapping[str, str], criteria: Mapping[str, str], method: Method) -> bool:
    """Whether a row matches all criteria; a time may differ by at most `Argument.minutes`."""
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
    """A recorded query of a method.

    `positions` lists the returned rows by their indices in the list of all rows of the method.
    """

    arguments: Mapping[str, str]
    positions: tuple[int, ...]


def ranked(
    rows: Sequence[Mapping[str, str]], queries: Sequence[RecordedQuery], method: Method
) -> list[int]:
    """Return an order of the rows in which every query returns its recorded rows first.

    The rows of a result keep their order. A result of `MAX_ROWS` rows may be incomplete, so other
    rows that match its query come after its rows. If the orders of results contradict each other,
    their rows keep the order of the recording.
    """
    before: dict[int, set[int]] = {index: set() for index in range(len(rows))}
    for query in queries:
        for first, second in pairwise(query.positions):
            before[second].add(first)
        if len(query.positions) == MAX_ROWS:
            for index in before.keys() - set(query.positions):
                if fits(rows[index], query.arguments, method):
                    before[index].add(query.positions[-1])
    return _sort(before)


def _sort(before: Mapping[int, set[int]]) -> list[int]:
    """Sort indices so that each comes after the indices to which `before` maps it.

    Of several indices that can come next, the lowest is taken.
    """
    sorter = TopologicalSorter(before)
    with suppress(CycleError):  # indices that depend on a cycle come last
        sorter.prepare()
    ready = list(sorter.get_ready())
    heapify(ready)
    order: list[int] = []
    while ready:
        order.append(heappop(ready))
        sorter.done(order[-1])
        for index in sorter.get_ready():
            heappush(ready, index)
    return [*order, *sorted(before.keys() - set(order))]
