"""Draw candidate tasks for the worlds of many apps in turn, so that all apps get tasks soon."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from benchloom.worlds.requests.combinations import composed
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.session import Session
from benchloom.worlds.suites.definitions.methods import Method
from benchloom.worlds.suites.definitions.requests.wants import Wording
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.world import world
from benchloom.worlds.task import Candidate, PlannedCall

MOST = 60
"""The maximum number of candidates for each app and seed."""
_FRUITLESS = 40
"""The number of successive draws without a new request after which drawing for an app ends."""
_LICENCE = "CC0-1.0"
"""The licence of the requests; the definitions belong to the developers of the apps."""


def candidates_of(starts: Mapping[str, str], suite: str, seed: int) -> Iterator[Candidate]:
    """Yield candidates of all apps in turn; `starts` maps the apps to their initial states.

    The seed determines the candidates.
    """
    pending = [_drawn(app, start, suite, seed) for app, start in starts.items()]
    while pending:
        remaining = []
        for draws in pending:
            candidate = next(draws, None)
            if candidate is not None:
                yield candidate
                remaining.append(draws)
        pending = remaining


def _drawn(app: str, start: str, suite: str, seed: int) -> Iterator[Candidate]:
    app_world = world(start)
    tools = {name: tool for name, tool in app_world.tools.items() if isinstance(tool, DefinedTool)}
    requests = Wording([*tools.values()]).requests()
    if not requests.wants:
        return
    texts: set[tuple[str, ...]] = set()
    number = last = 0
    with Session(app_world) as session:
        while len(texts) < MOST and number - last < _FRUITLESS:
            number += 1
            with session.trial():
                composition = composed(
                    session, Dice(seed, number), requests.wants, requests.questions
                )
            if composition is None:
                continue
            calls, turns, question = composition
            if turns in texts or _revises([(tools[call.tool].method, call) for call in calls]):
                continue
            texts.add(turns)
            last = number
            yield Candidate(
                suite=suite,
                start=start,
                turns=turns,
                calls=calls,
                asked=question,
                exact=True,
                source=suite,
                source_id=f"{app}/{seed}/{number}",
                license=_LICENCE,
            )


_Plan: TypeAlias = Sequence[tuple[Method, PlannedCall]]


def _revises(plan: _Plan) -> bool:
    """Whether a call contains a text twice, or calls of the plan interfere with each other.

    Two calls interfere if both give the same name to a thing, create the same thing, or set the
    same property, or if one call deletes a thing that the other call uses.
    """
    names = [
        call.arguments[method.naming] for method, call in plan if method.naming in call.arguments
    ]
    return (
        any(_repeats(_texts(call)) for _, call in plan)
        or _deletes_used_thing(plan)
        or _repeats(str(name) for name in names if name)
        or _repeats(_key(method, call) for method, call in plan)
    )


def _repeats(values: Iterable[Hashable]) -> bool:
    return any(number > 1 for number in Counter(values).values())


def _deletes_used_thing(plan: _Plan) -> bool:
    texts = [set() if method.verb == "find" else {*_texts(call)} for method, call in plan]
    return any(
        method.verb == "delete"
        and not texts[number].isdisjoint(chain(*texts[:number], *texts[number + 1 :]))
        for number, (method, _) in enumerate(plan)
    )


def _texts(call: PlannedCall) -> Iterator[str]:
    for value in call.arguments.values():
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, str) and member:
                yield member


def _key(method: Method, call: PlannedCall) -> tuple[str, ...]:
    """Return a key that is equal for calls that create the same thing or set the same property."""
    arguments = dict(call.arguments)
    if method.verb == "create" and method.naming:
        arguments = {name: value for name, value in arguments.items() if name == method.naming}
    elif method.verb in {"update", "toggle"}:
        arguments = {
            name: value if name == method.target else "" for name, value in arguments.items()
        }
    return (call.tool, *(f"{name}={value}" for name, value in arguments.items()))
