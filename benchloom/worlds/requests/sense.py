"""Detect unnatural requests: those that contain their answer or undo their own steps.

The rules apply to all templates, so that new templates need no rules.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import PlannedCall
from benchloom.worlds.world import World

_ENDS = frozenset({"cancel", "complete", "decline", "delete", "remove", "return"})
"""The first words in the names of tools that delete, cancel or close a thing."""
_FIRST_WORD = re.compile(r"[A-Za-z][a-z]*")
_OFF = ((False, ""), (True, "blocked"))
"""Boolean values that switch a thing off, each with the argument's name ("" for any argument)."""


def gives_away(text: str, answer: Plain) -> bool:
    """Whether a request contains its answer, such as Skerry in `where is Green Oven Skerry`.

    Numbers are ignored, because days and amounts contain them by chance.
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
    """Whether a write undoes or overwrites the effect of an earlier call of the plan.

    A write is a call that changes data. It undoes the effect if it deletes a thing that an earlier
    write created or used. It overwrites the effect if it switches off a thing that an earlier write
    created, or changes a value of the thing that the earlier tool could have set.
    """
    ends = _ends(call.tool.partition(".")[2])
    ids = set(_ids(call.arguments))
    changed = {(effect.table, effect.key) for effect in outcome.effects if effect.kind != "added"}
    for earlier, result in zip(calls, outcomes, strict=True):
        if not result.effects:
            continue
        if ends and not ids.isdisjoint(_ids(earlier.arguments)):
            return True
        created_keys = {
            (effect.table, effect.key) for effect in result.effects if effect.kind == "added"
        }
        if not created_keys.isdisjoint(changed) and (ends or _revises(world, earlier, call)):
            return True
    return False


def _ends(tool: str) -> bool:
    """Whether a tool's name begins with a word for deletion, as in `cancel_event`."""
    first = _FIRST_WORD.match(tool)
    return first is not None and first[0].lower() in _ENDS


def _revises(world: World, earlier: PlannedCall, call: PlannedCall) -> bool:
    earlier_arguments = world.tools[earlier.tool].parameters.keys()
    changed_arguments = {
        name for name in call.arguments if not name.endswith("_id") or name == "list_id"
    }
    off = any(
        value is switch and field in {"", name}
        for name, value in call.arguments.items()
        for switch, field in _OFF
    )
    return off or not changed_arguments.isdisjoint(earlier_arguments)


def _ids(arguments: Mapping[str, Plain]) -> Iterator[str]:
    for name, value in arguments.items():
        if name.endswith("_id") and name != "person_id" and isinstance(value, str):
            yield value
