"""Draw candidates for the worlds of many apps in turn, so that few candidates cover all apps."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from benchloom.worlds.asking.composing import composed
from benchloom.worlds.asking.dice import Dice
from benchloom.worlds.session import Session
from benchloom.worlds.suites.definitions.asking.wants import Wording
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.world import world
from benchloom.worlds.task import Candidate, PlannedCall
from benchloom.worlds.tool import Tool
from benchloom.worlds.world import World

MOST = 60
"""The maximum number of candidates of an app for a seed."""
_FRUITLESS = 40
"""The number of draws without a new request after which an app is exhausted."""
_LICENCE = "CC0-1.0"
"""The licence of the requests; the definitions belong to the developers of the apps."""


def candidates_of(starts: Mapping[str, str], suite: str, seed: int) -> Iterator[Candidate]:
    """Yield candidates of all apps, taking the apps in turn; the seed determines them."""
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
            calls, turns, question = composition
            if turns in texts or _revises(app_world, calls):
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


def _revises(app_world: World, calls: Sequence[PlannedCall]) -> bool:
    """Whether a plan repeats a call, sets a property twice, or uses a name twice."""
    tools = [app_world.tools[call.tool] for call in calls]
    if any(map(_names_itself, calls)) or _ends_what_it_uses(tools, calls):
        return True
    names = [
        name for tool, call in zip(tools, calls, strict=True) if (name := _new_name(tool, call))
    ]
    if len(set(names)) < len(names):
        return True
    keys = [_key(tool, call) for tool, call in zip(tools, calls, strict=True)]
    return len(set(keys)) < len(keys)


def _new_name(tool: Tool, call: PlannedCall) -> str:
    naming = tool.method.naming if isinstance(tool, DefinedTool) else ""
    return str(call.arguments.get(naming, "")) if naming else ""


def _ends_what_it_uses(tools: Sequence[Tool], calls: Sequence[PlannedCall]) -> bool:
    texts = [
        set() if tool.reads else {*_texts(call)} for tool, call in zip(tools, calls, strict=True)
    ]
    return any(
        isinstance(tool, DefinedTool)
        and tool.method.verb == "delete"
        and not texts[number].isdisjoint(chain(*texts[:number], *texts[number + 1 :]))
        for number, tool in enumerate(tools)
    )


def _texts(call: PlannedCall) -> Iterator[str]:
    for value in call.arguments.values():
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, str) and member:
                yield member


def _names_itself(call: PlannedCall) -> bool:
    """Whether a call has the same text in two arguments, such as moving a folder into itself."""
    texts = list(_texts(call))
    return len(set(texts)) < len(texts)


def _key(tool: Tool, call: PlannedCall) -> tuple[str, ...]:
    names = set(call.arguments)
    if isinstance(tool, DefinedTool) and not tool.method.stub:
        names = {
            "create": {tool.method.naming} if tool.method.naming else names,
            "update": {tool.method.target},
            "toggle": {tool.method.target},
        }.get(tool.method.verb or "", names)
    is_new = isinstance(tool, DefinedTool) and tool.method.verb == "create"
    return (
        call.tool,
        *(
            f"{name}={value if name in names else ''}"
            for name, value in call.arguments.items()
            if name in names or not is_new
        ),
    )
