"""Count in how many orders a plan's calls can be made, and how many reach the same state."""

from collections.abc import Sequence

from benchloom.core.identity import rank
from benchloom.worlds.proofs.trials import Gold, Trials

_ALL_OF = 4
"""The maximum number of calls for which all orders are tried; four calls have 24 orders."""
_DRAWN = 12


def count_orders(trials: Trials, gold: Gold, tied: Sequence[frozenset[int]]) -> tuple[int, int]:
    """Return how many orders of the calls reach the plan's final state, and how many were tried.

    Both counts include the plan's own order. An order is possible if earlier results contain all
    values that a call needs from results. If the plan has at most four calls, all possible orders
    are tried, else some random ones. `tied` lists, for each call, the calls that must come before
    it, because a refused call comes before the call that recovers from the refusal.
    """
    numbers = tuple(range(len(trials.calls)))
    if len(numbers) <= _ALL_OF:
        return _all(trials, gold, tied, numbers)
    equal = count = 1
    orders = {numbers}
    for draw in range(_DRAWN):
        order = _drawn(trials, tied, draw)
        if order is not None and order not in orders:
            orders.add(order)
            count += 1
            with trials.trial():
                trials.make_all(order)
                equal += trials.ends_alike(gold)
    return equal, count


def _all(
    trials: Trials, gold: Gold, tied: Sequence[frozenset[int]], todo: tuple[int, ...]
) -> tuple[int, int]:
    if not todo:
        return int(trials.ends_alike(gold)), 1
    equal = count = 0
    for number in todo:
        if tied[number].isdisjoint(todo):
            with trials.trial():
                if trials.make(number):
                    later = tuple(other_number for other_number in todo if other_number != number)
                    rest_counts = _all(trials, gold, tied, later)
                    equal, count = equal + rest_counts[0], count + rest_counts[1]
    return equal, count


def _drawn(trials: Trials, tied: Sequence[frozenset[int]], draw: int) -> tuple[int, ...] | None:
    todo = sorted(range(len(trials.calls)), key=lambda number: rank(draw, str(number)))
    order: list[int] = []
    with trials.trial():
        while todo:
            possible = (n for n in todo if tied[n].isdisjoint(todo) and trials.make(n))
            number = next(possible, None)
            if number is None:
                return None
            order.append(number)
            todo.remove(number)
    return tuple(order)
