"""Draw candidates for the worlds of many apps, in turns, so that a small number covers all."""

from collections.abc import Iterator, Mapping, Sequence

from benchloom.worlds.session import Session
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.wants import Wording
from benchloom.worlds.suites.definitions.world import world
from benchloom.worlds.suites.everyday.asking.composing import composed
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.task import Candidate, PlannedCall
from benchloom.worlds.tool import Tool
from benchloom.worlds.world import World

MOST = 60
"""Candidates of one app for one seed."""
_FRUITLESS = 40
"""Draws without a new request after which an app has no more."""
_LICENCE = "CC0-1.0"
"""Of the requests; the definitions in a start belong to the makers of the app."""


def candidates_of(starts: Mapping[str, str], suite: str, seed: int) -> Iterator[Candidate]:
    """Yield candidates of all apps, one of each in turn, determined by the seed."""
    pending = [_drawn(app, start, suite, seed) for app, start in starts.items()]
    while pending:
        left = []
        for draws in pending:
            candidate = next(draws, None)
            if candidate is not None:
                yield candidate
                left.append(draws)
        pending = left


def _drawn(app: str, start: str, suite: str, seed: int) -> Iterator[Candidate]:
    """Yield the candidates of one app, each with another request."""
    app_world = world(start)
    tools = [tool for tool in app_world.tools.values() if isinstance(tool, DefinedTool)]
    requests = Wording(tools).requests()
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
            calls, turns, asked = composition
            if turns in texts or _revises(app_world, calls):
                continue
            texts.add(turns)
            last = number
            yield Candidate(
                suite=suite,
                start=start,
                turns=turns,
                calls=calls,
                asked=asked,
                exact=True,
                source=suite,
                source_id=f"{app}/{seed}/{number}",
                license=_LICENCE,
            )


def _revises(app_world: World, calls: Sequence[PlannedCall]) -> bool:
    """Whether a plan makes a call twice, or sets the same properties of a thing twice."""
    keys = [_key(app_world.tools[call.tool], call) for call in calls]
    return len(set(keys)) < len(keys)


def _key(tool: Tool, call: PlannedCall) -> tuple[str, ...]:
    """Return what a call changes: the values count only for calls that do not set properties."""
    method = tool.method if isinstance(tool, DefinedTool) else None
    sets = method is not None and method.verb in {"update", "toggle"} and not method.stub
    kept = {method.target} if method is not None and sets else call.arguments.keys()
    return (
        call.tool,
        *(f"{name}={value if name in kept else ''}" for name, value in call.arguments.items()),
    )
