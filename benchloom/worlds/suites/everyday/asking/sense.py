"""Requests that nobody would make: to revise what was just asked for, or to ask what was just said.

The rules hold for all templates, so that a new one needs none of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import PlannedCall
from benchloom.worlds.world import World

_ENDS = frozenset({"cancel", "complete", "decline", "delete", "remove", "return"})
"""First words of tools after which a thing is not used any more."""
_OFF = ((False, ""), (True, "blocked"))
"""Truths that switch off what was just made, and the argument where it is not any."""


def gives_away(text: str, answer: Plain) -> bool:
    """Whether a request says its answer itself: `in which town Green Oven Skerry is`.

    Numbers do not count: they occur by chance, in days and sums.
    """
    if not isinstance(answer, str):
        return False
    return re.search(rf"(?<!\w){re.escape(answer.lower())}(?!\w)", text.lower()) is not None


def takes_back(
    world: World,
    calls: Sequence[PlannedCall],
    outcomes: Sequence[Outcome],
    call: PlannedCall,
    outcome: Outcome,
) -> bool:
    """Whether a write takes back or revises what an earlier call of the plan did.

    It does if it ends a thing that an earlier write made or used, or if it changes a thing that an
    earlier call made by an argument that the earlier call could have had.
    """
    ends = call.tool.partition(".")[2].partition("_")[0] in _ENDS
    ids = set(_ids(call.arguments))
    changed = {(effect.table, effect.key) for effect in outcome.effects if effect.kind != "added"}
    for earlier, done in zip(calls, outcomes, strict=True):
        if not done.effects:
            continue
        if ends and not ids.isdisjoint(_ids(earlier.arguments)):
            return True
        created_keys = {
            (effect.table, effect.key) for effect in done.effects if effect.kind == "added"
        }
        if not created_keys.isdisjoint(changed) and (ends or _revises(world, earlier, call)):
            return True
    return False


def _revises(world: World, earlier: PlannedCall, call: PlannedCall) -> bool:
    """Whether a call says anew what the call that made a thing said, or switches the thing off."""
    could = world.tools[earlier.tool].parameters.keys()
    news = {name for name in call.arguments if not name.endswith("_id") or name == "list_id"}
    off = any(
        value is switch and field in {"", name}
        for name, value in call.arguments.items()
        for switch, field in _OFF
    )
    return off or not news.isdisjoint(could)


def _ids(arguments: Mapping[str, Plain]) -> Iterator[str]:
    for name, value in arguments.items():
        if name.endswith("_id") and name != "person_id" and isinstance(value, str):
            yield value
