"""Which rows answer a query, and in which order rows stand so that recorded results follow."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

import msgspec

from benchloom.worlds.suites.sgd.start import Method

MOST_ROWS = 10
"""Rows of a result."""
ANY = "dontcare"
"""What is given for an argument that may be anything."""
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


def fits(row: Mapping[str, str], given: Mapping[str, str], method: Method) -> bool:
    """Whether a row has all that is given; a time may differ where the method says so."""
    for name, value in given.items():
        found = row.get(name)
        if value in {found, ANY}:
            continue
        minutes = next((one.minutes for one in method.arguments if one.name == name), 0)
        if found is None or not minutes or not _near(found, value, minutes):
            return False
    return True


def _near(found: str, asked: str, minutes: int) -> bool:
    times = [_TIME.fullmatch(text) for text in (found, asked)]
    told = [int(time[1]) * 60 + int(time[2]) for time in times if time is not None]
    return len(told) == len(times) and abs(told[0] - told[1]) <= minutes


class Asked(msgspec.Struct, frozen=True):
    """A recorded query: what was given, and the rows it found, by their place among all rows."""

    given: Mapping[str, str]
    found: tuple[int, ...]


def ranked(rows: Sequence[Mapping[str, str]], asked: Sequence[Asked], method: Method) -> list[int]:
    """The places of rows in an order from which every query finds its own rows first.

    Results stand in their own order, and before rows that a full result left out. Where results
    contradict each other the rows of a contradiction stay in the order in which they were found.
    """
    after: dict[int, set[int]] = defaultdict(set)
    for one in asked:
        for first, second in zip(one.found, one.found[1:], strict=False):
            after[first].add(second)
        if len(one.found) == MOST_ROWS:
            own = set(one.found)
            after[one.found[-1]].update(
                place
                for place, row in enumerate(rows)
                if place not in own and fits(row, one.given, method)
            )
    return _ordered(len(rows), after)


def _ordered(count: int, after: Mapping[int, set[int]]) -> list[int]:
    """Places, each behind all that must stand before it, otherwise in their own order."""
    waiting = [0] * count
    for places in after.values():
        for place in places:
            waiting[place] += 1
    ready = [place for place in range(count) if not waiting[place]]
    heapify(ready)
    found: list[int] = []
    while ready:
        place = heappop(ready)
        found.append(place)
        for behind in sorted(after.get(place, ())):
            waiting[behind] -= 1
            if not waiting[behind]:
                heappush(ready, behind)
    return [*found, *sorted(set(range(count)).difference(found))]
