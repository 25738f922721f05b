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

BUDGET = 400
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
    due, found = _compared(gold), _compared(predicted)
    if due == found:
        places = range(len(due))
        return Alignment({one: one for one in places}, frozenset(places))
    return _Search(due, found).found()


class _Search:
    def __init__(self, gold: Sequence[_Call], predicted: Sequence[_Call]) -> None:
        self._gold = gold
        self._predicted = predicted
        above, self._below = _surroundings(gold)
        above_there, self._below_there = _surroundings(predicted)
        by_name: dict[str, list[int]] = {}
        for place, one in enumerate(predicted):
            by_name.setdefault(one.name, []).append(place)
        ranked = [
            sorted(
                (
                    self._below[place] != self._below_there[other],
                    above[place] != above_there[other],
                    one.said != predicted[other].said,
                    -_alike(one, predicted[other]),
                    other,
                )
                for other in by_name.get(one.name, ())
            )[:_MOST_CANDIDATES]
            for place, one in enumerate(gold)
        ]
        self._candidates = [[one[-1] for one in each] for each in ranked]
        self._same = [
            [other for other in each if predicted[other].said == gold[place].said]
            for place, each in enumerate(self._candidates)
        ]
        self._likely: dict[int, int] = {}
        taken: set[int] = set()
        for *_, other, place in sorted(
            (*one, place) for place, each in enumerate(ranked) for one in each
        ):
            if other not in self._likely and place not in taken:
                self._likely[other] = place
                taken.add(place)
        said = Counter(one.said for one in predicted)
        self._possible = [0] * (len(gold) + 1)
        remaining: Counter[Hashable] = Counter()
        for place in range(len(gold) - 1, -1, -1):
            key = gold[place].said
            remaining[key] += 1
            more = remaining[key] <= said[key]
            self._possible[place] = self._possible[place + 1] + more
        named = Counter(one.name for one in gold)
        self._named = [0] * len(gold)
        """How many calls of its name are left, itself included."""
        for place, one in enumerate(gold):
            self._named[place] = named[one.name]
            named[one.name] -= 1
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
                self._take(place, self._choices(place)[0])
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
        for chosen in self._choices(place):
            if not self._is_first:
                self._left -= 1
                if self._left < 0 or not self._can_be_better(place):
                    return
            is_right = self._take(place, chosen)
            if self._is_first or self._can_be_better(place + 1):
                self._descend(place + 1)
            self._give_back(place, chosen, is_right=is_right)

    def _can_be_better(self, place: int) -> bool:
        """Whether the calls of gold from a place on may still become right often enough."""
        wanted = len(self._best.right) - len(self._right)
        if self._possible[place] <= wanted:
            return False
        possible = 0
        for later in range(place, len(self._gold)):
            possible += self._may_be_right(place, later)
            if possible > wanted:
                return True
        return possible > wanted

    def _may_be_right(self, place: int, later: int) -> bool:
        gold = self._gold[later]
        due = [self._pairs.get(one, -1) if one < place else None for one in gold.producers]
        if -1 in due:
            return False
        for other in self._same[later]:
            if other not in self._used:
                there = self._predicted[other].producers
                if all(one is None or one == two for one, two in zip(due, there, strict=True)):
                    return True
        return False

    def _choices(self, place: int) -> list[int | None]:
        """The candidates, the likeliest first; None where it may be better to pair with none."""
        free = [one for one in self._candidates[place] if one not in self._used]
        found: list[int | None] = [*sorted(free, key=lambda one: self._rank(place, one))]
        if len(free) < self._named[place]:
            wanted = sum(not self._is_claimed(place, one) for one in free)
            found.insert(wanted, None)
        return found

    def _rank(self, place: int, chosen: int) -> tuple[bool, bool, bool]:
        return (
            self._is_claimed(place, chosen),
            not self._is_right(place, chosen),
            self._likely.get(chosen) != place,
        )

    def _is_claimed(self, place: int, chosen: int) -> bool:
        """Whether another call of gold, and not this one, goes on as this candidate does."""
        below = self._below_there[chosen]
        claimant = self._likely.get(chosen, place)
        return self._below[place] != below == self._below[claimant]

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


def _alike(gold: _Call, predicted: _Call) -> int:
    return sum(predicted.parts.get(name) == part for name, part in gold.parts.items())


def _surroundings(calls: Sequence[_Call]) -> tuple[list[int], list[int]]:
    """For every call what it and its producers say; and what it says and those who take it."""
    above: list[int] = []
    for one in calls:
        above.append(hash((one.said, tuple(above[place] for place in one.producers))))
    taken: list[list[int]] = [[] for _ in calls]
    below = [0] * len(calls)
    for place in range(len(calls) - 1, -1, -1):
        below[place] = hash((calls[place].said, tuple(sorted(taken[place]))))
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
