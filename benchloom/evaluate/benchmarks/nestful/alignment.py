"""Pair predicted calls with gold calls, in any order and with any labels.

A call is right if its name and arguments equal those of the paired gold call, and if each of its
references uses the same output of a correspondingly paired call. The search looks for the pairing
with the most right calls. For each gold call in order, it first tries the predicted calls of the
same name that depend on equal calls and whose results equal calls use. The first attempt is usually
the best; only plans with an error and many calls of one function need more attempts, whose number
is limited. If the limit ends the search, the share of right calls may be too small, but it is the
same in every run.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import msgspec

from benchloom.core.records.values import Composed, Ref, RuntimeValue, Value, runtime_text
from benchloom.evaluate.benchmarks.nestful.calls import Plan, PlannedCall

BUDGET = 400  # maximum candidates that are tried after the first descent
_MAX_CANDIDATES = 12
_MAX_SEARCHED = 200  # maximum gold calls of a plan for which more than one descent is made


class Alignment(msgspec.Struct, frozen=True):
    """A pairing of gold calls with predicted calls, by their indices in the two plans.

    `right` contains the indices of the gold calls that the paired predicted calls match.
    """

    pairs: dict[int, int]
    right: frozenset[int]


class _Call(msgspec.Struct, frozen=True):
    """A call in a form for comparison: its content contains no indices of other calls.

    `producers` are the indices of the calls that it refers to, in the order in which they occur in
    the arguments.
    """

    name: str
    content: Hashable
    producers: tuple[int, ...]
    parts: dict[str, Hashable]


def align(gold: Plan, predicted: Plan) -> Alignment:
    """Pair the calls of two plans so that as many gold calls as possible are right."""
    gold_calls, predicted_calls = _comparable_calls(gold), _comparable_calls(predicted)
    if gold_calls == predicted_calls:
        indices = range(len(gold_calls))
        return Alignment({index: index for index in indices}, frozenset(indices))
    return _Search(gold_calls, predicted_calls).search()


class _Search:
    def __init__(self, gold: Sequence[_Call], predicted: Sequence[_Call]) -> None:
        self._gold = gold
        self._predicted = predicted
        above, self._below = _surroundings(gold)
        above_there, self._below_there = _surroundings(predicted)
        by_name: dict[str, list[int]] = {}
        for index, call in enumerate(predicted):
            by_name.setdefault(call.name, []).append(index)
        ranked = [
            sorted(
                (
                    self._below[index] != self._below_there[other],
                    above[index] != above_there[other],
                    call.content != predicted[other].content,
                    -_alike(call, predicted[other]),
                    other,
                )
                for other in by_name.get(call.name, ())
            )[:_MAX_CANDIDATES]
            for index, call in enumerate(gold)
        ]
        self._candidates = [[candidate[-1] for candidate in each] for each in ranked]
        self._same = [
            [other for other in each if predicted[other].content == gold[index].content]
            for index, each in enumerate(self._candidates)
        ]
        self._likely: dict[int, int] = {}
        matched: set[int] = set()
        for *_, other, index in sorted(
            (*candidate, index) for index, each in enumerate(ranked) for candidate in each
        ):
            if other not in self._likely and index not in matched:
                self._likely[other] = index
                matched.add(index)
        # `_possible[i]` is an upper bound for the right calls among the gold calls from i on.
        content_counts = Counter(call.content for call in predicted)
        self._possible = [0] * (len(gold) + 1)
        remaining: Counter[Hashable] = Counter()
        for index in range(len(gold) - 1, -1, -1):
            key = gold[index].content
            remaining[key] += 1
            more = remaining[key] <= content_counts[key]
            self._possible[index] = self._possible[index + 1] + more
        name_counts = Counter(call.name for call in gold)
        self._named = [0] * len(gold)
        """For each gold call, the number of gold calls of its name from here to the end."""
        for index, call in enumerate(gold):
            self._named[index] = name_counts[call.name]
            name_counts[call.name] -= 1
        self._pairs: dict[int, int] = {}
        self._used: set[int] = set()
        self._right: list[int] = []
        self._best = Alignment({}, frozenset())
        self._is_first = True
        searched = len(gold) <= _MAX_SEARCHED
        self._left = BUDGET if searched else 0

    def search(self) -> Alignment:
        if len(self._gold) <= _MAX_SEARCHED:
            self._descend(0)
        else:
            for index in range(len(self._gold)):
                self._take(index, self._choices(index)[0])
            self._record_best()
        return self._best

    def _record_best(self) -> None:
        if self._is_first or len(self._right) > len(self._best.right):
            self._best = Alignment(dict(self._pairs), frozenset(self._right))
        self._is_first = False

    def _descend(self, index: int) -> None:
        if index == len(self._gold):
            self._record_best()
            return
        for chosen in self._choices(index):
            if not self._is_first:
                self._left -= 1
                # The first descent is free: without it there would be no pairing to return.
                if self._left < 0 or not self._can_be_better(index):
                    return
            is_right = self._take(index, chosen)
            if self._is_first or self._can_be_better(index + 1):
                self._descend(index + 1)
            self._give_back(index, chosen, is_right=is_right)

    def _can_be_better(self, index: int) -> bool:
        threshold = len(self._best.right) - len(self._right)
        if self._possible[index] <= threshold:
            return False
        possible = 0
        for later in range(index, len(self._gold)):
            possible += self._may_be_right(index, later)
            if possible > threshold:
                return True
        return possible > threshold

    def _may_be_right(self, index: int, later: int) -> bool:
        gold = self._gold[later]
        producers = [
            self._pairs.get(producer, -1) if producer < index else None
            for producer in gold.producers
        ]
        if -1 in producers:
            return False
        for other in self._same[later]:
            if other not in self._used:
                there = self._predicted[other].producers
                if all(
                    expected_producer is None or expected_producer == two
                    for expected_producer, two in zip(producers, there, strict=True)
                ):
                    return True
        return False

    def _choices(self, index: int) -> list[int | None]:
        """Return the unpaired predicted calls that a gold call may be paired with, likeliest first.

        If not all gold calls of this name can be paired, None (no call) is also a choice.
        """
        free = [candidate for candidate in self._candidates[index] if candidate not in self._used]
        choices: list[int | None] = [
            *sorted(free, key=lambda candidate: self._rank(index, candidate))
        ]
        if len(free) < self._named[index]:
            position = sum(not self._is_claimed(index, candidate) for candidate in free)
            choices.insert(position, None)
        return choices

    def _rank(self, index: int, chosen: int) -> tuple[bool, bool, bool]:
        return (
            self._is_claimed(index, chosen),
            not self._is_right(index, chosen),
            self._likely.get(chosen) != index,
        )

    def _is_claimed(self, index: int, chosen: int) -> bool:
        """Whether a predicted call fits another gold call better than the gold call at `index`.

        It fits a gold call well if both have the same content, and equal calls use their results.
        """
        below = self._below_there[chosen]
        claimant = self._likely.get(chosen, index)
        return self._below[index] != below == self._below[claimant]

    def _is_right(self, index: int, chosen: int) -> bool:
        gold, predicted = self._gold[index], self._predicted[chosen]
        return gold.content == predicted.content and predicted.producers == tuple(
            self._pairs.get(producer, -1) for producer in gold.producers
        )

    def _take(self, index: int, chosen: int | None) -> bool:
        if chosen is None:
            return False
        is_right = self._is_right(index, chosen)
        self._pairs[index] = chosen
        self._used.add(chosen)
        if is_right:
            self._right.append(index)
        return is_right

    def _give_back(self, index: int, chosen: int | None, *, is_right: bool) -> None:
        if chosen is not None:
            del self._pairs[index]
            self._used.discard(chosen)
            if is_right:
                self._right.pop()


def _alike(gold: _Call, predicted: _Call) -> int:
    return sum(predicted.parts.get(name) == part for name, part in gold.parts.items())


def _surroundings(calls: Sequence[_Call]) -> tuple[list[int], list[int]]:
    above: list[int] = []
    for call in calls:
        above.append(
            hash((call.content, tuple(above[producer_index] for producer_index in call.producers)))
        )
    consumers: list[list[int]] = [[] for _ in calls]
    below = [0] * len(calls)
    for index in range(len(calls) - 1, -1, -1):
        below[index] = hash((calls[index].content, tuple(sorted(consumers[index]))))
        for order, producer in enumerate(calls[index].producers):
            consumers[producer].append(hash((below[index], order)))
    return above, below


def _comparable_calls(plan: Plan) -> list[_Call]:
    return [_plain_call(index, call) for index, call in enumerate(plan.calls)]


def _plain_call(index: int, call: PlannedCall) -> _Call:
    producers: list[int] = []
    parts = {name: _part(call.arguments[name], index, producers) for name in sorted(call.arguments)}
    return _Call(call.name, (call.name, tuple(parts.items())), tuple(producers), parts)


def _part(value: Value, index: int, producers: list[int]) -> Hashable:
    """Return a hashable form of a value, and append the indices of calls it uses to `producers`.

    Equal values have equal forms; 3 equals 3.0.
    """
    if isinstance(value, Ref):
        if value.step >= index:
            return ("ahead", value.step - index, value.output, value.path)
        producers.append(value.step)
        return ("result", value.output, value.path)
    if isinstance(value, Composed):
        return ("text", tuple(_part(part, index, producers) for part in value.parts))
    if isinstance(value, RuntimeValue):
        return runtime_text(value)
    if isinstance(value, list):
        return ("list", tuple(_part(element, index, producers) for element in value))
    if isinstance(value, dict):
        members = ((name, _part(value[name], index, producers)) for name in sorted(value))
        return ("object", tuple(members))
    if isinstance(value, bool):
        return ("truth", value)
    return value
