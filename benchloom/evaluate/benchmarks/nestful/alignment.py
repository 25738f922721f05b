"""Which predicted call stands for which call of gold, whatever the labels and the order.

A call is right where name, arguments and values are equal and every reference takes the same output
of the call that stands for gold's producer. The pairing with the most right calls is searched in
the order of gold, candidates of equal surroundings first; of a budget of steps only plans in which
one function is called many times and something is wrong use more than one descent. What the budget
leaves out can only make the share smaller, and the same on every run.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import msgspec

from benchloom.evaluate.benchmarks.nestful.reading import Plan, Planned
from benchloom.records.values import Composed, Given, Ref, Value, tell_given

BUDGET = 120
"""Candidates that are tried beyond the first descent."""
_MOST_CANDIDATES = 12
_MOST_SEARCHED = 200
"""Calls of gold up to which more than one descent is made."""


class Alignment(msgspec.Struct, frozen=True):
    """`pairs` maps calls of gold to predicted calls; `right` are the calls of gold that match."""

    pairs: dict[int, int]
    right: frozenset[int]


class _Call(msgspec.Struct, frozen=True):
    """One call as it is compared: what it says without its producers, and those in order."""

    name: str
    said: Hashable
    producers: tuple[int, ...]
    parts: dict[str, Hashable]


def align(gold: Plan, predicted: Plan) -> Alignment:
    """The pairing of two plans."""
    return _Search(_compared(gold), _compared(predicted)).found()


class _Search:
    def __init__(self, gold: Sequence[_Call], predicted: Sequence[_Call]) -> None:
        self._gold = gold
        self._predicted = predicted
        self._candidates = _candidates(gold, predicted)
        said = Counter(one.said for one in predicted)
        self._possible = [0] * (len(gold) + 1)
        remaining: Counter[Hashable] = Counter()
        for place in range(len(gold) - 1, -1, -1):
            key = gold[place].said
            remaining[key] += 1
            more = remaining[key] <= said[key]
            self._possible[place] = self._possible[place + 1] + more
        self._pairs: dict[int, int] = {}
        self._used: set[int] = set()
        self._right: list[int] = []
        self._best = Alignment({}, frozenset())
        self._is_first = True
        searched = len(gold) <= _MOST_SEARCHED
        self._left = BUDGET if searched else 0

    def found(self) -> Alignment:
        if len(self._gold) <= _MOST_SEARCHED:
            self._descend(0)
        else:
            for place in range(len(self._gold)):
                chosen = next(iter(self._choices(place)), None)
                self._take(place, chosen)
            self._keep()
        return self._best

    def _keep(self) -> None:
        if self._is_first or len(self._right) > len(self._best.right):
            self._best = Alignment(dict(self._pairs), frozenset(self._right))
        self._is_first = False

    def _descend(self, place: int) -> None:
        if place == len(self._gold):
            self._keep()
            return
        choices: list[int | None] = [*self._choices(place)]
        if not choices or self._possible[place] < len(self._gold) - place:
            choices.append(None)
        for chosen in choices:
            if not self._is_first:
                self._left -= 1
                promised = len(self._right) + self._possible[place]
                if self._left < 0 or promised <= len(self._best.right):
                    return
            is_right = self._take(place, chosen)
            self._descend(place + 1)
            self._give_back(place, chosen, is_right=is_right)

    def _choices(self, place: int) -> list[int]:
        free = [one for one in self._candidates[place] if one not in self._used]
        return sorted(free, key=lambda one: not self._is_right(place, one))

    def _is_right(self, place: int, chosen: int) -> bool:
        gold, predicted = self._gold[place], self._predicted[chosen]
        return gold.said == predicted.said and predicted.producers == tuple(
            self._pairs.get(one, -1) for one in gold.producers
        )

    def _take(self, place: int, chosen: int | None) -> bool:
        if chosen is None:
            return False
        is_right = self._is_right(place, chosen)
        self._pairs[place] = chosen
        self._used.add(chosen)
        if is_right:
            self._right.append(place)
        return is_right

    def _give_back(self, place: int, chosen: int | None, *, is_right: bool) -> None:
        if chosen is not None:
            del self._pairs[place]
            self._used.discard(chosen)
            if is_right:
                self._right.pop()


def _candidates(gold: Sequence[_Call], predicted: Sequence[_Call]) -> list[list[int]]:
    """For every call of gold the predicted calls of its name, the likeliest first."""
    by_name: dict[str, list[int]] = {}
    for place, one in enumerate(predicted):
        by_name.setdefault(one.name, []).append(place)
    above, below = _surroundings(gold)
    above_there, below_there = _surroundings(predicted)
    found: list[list[int]] = []
    for place, one in enumerate(gold):
        ranked: list[tuple[bool, bool, bool, int, int]] = []
        for other in by_name.get(one.name, ()):
            there = predicted[other]
            alike = sum(there.parts.get(name) == part for name, part in one.parts.items())
            ranked.append(
                (
                    below[place] != below_there[other],
                    above[place] != above_there[other],
                    one.said != there.said,
                    -alike,
                    other,
                )
            )
        found.append([one[-1] for one in sorted(ranked)[:_MOST_CANDIDATES]])
    return found


def _surroundings(calls: Sequence[_Call]) -> tuple[list[int], list[int]]:
    """For every call what it and its producers say; and that with those who take its results."""
    above: list[int] = []
    for one in calls:
        above.append(hash((one.said, tuple(above[place] for place in one.producers))))
    taken: list[list[int]] = [[] for _ in calls]
    below = list(above)
    for place in range(len(calls) - 1, -1, -1):
        below[place] = hash((above[place], tuple(sorted(taken[place]))))
        for order, producer in enumerate(calls[place].producers):
            taken[producer].append(hash((below[place], order)))
    return above, below


def _compared(plan: Plan) -> list[_Call]:
    return [_one(place, call) for place, call in enumerate(plan.calls)]


def _one(place: int, call: Planned) -> _Call:
    producers: list[int] = []
    parts = {name: _part(call.arguments[name], place, producers) for name in sorted(call.arguments)}
    return _Call(call.name, (call.name, tuple(parts.items())), tuple(producers), parts)


def _part(value: Value, place: int, producers: list[int]) -> Hashable:
    """A value as it is compared: 3 is 3.0, true is no 1, and a producer is only counted."""
    if isinstance(value, Ref):
        if value.step >= place:
            return ("ahead", value.step - place, value.output, value.path)
        producers.append(value.step)
        return ("result", value.output, value.path)
    if isinstance(value, Composed):
        return ("text", tuple(_part(one, place, producers) for one in value.parts))
    if isinstance(value, Given):
        return tell_given(value)
    if isinstance(value, list):
        return ("list", tuple(_part(one, place, producers) for one in value))
    if isinstance(value, dict):
        members = ((name, _part(value[name], place, producers)) for name in sorted(value))
        return ("object", tuple(members))
    if isinstance(value, bool):
        return ("truth", value)
    return value
