"""Count the shortcuts that the device can run, and rank the actions to implement next."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from benchloom.core.built_in_actions import CONTROL, built_in
from benchloom.core.records import Shortcut
from benchloom.device.actions import all_actions
from benchloom.device.runs import run

_AT_STEP = " at step "


class ShortcutRun(msgspec.Struct, frozen=True):
    """A shortcut's run with simulated answers; `missing` lists actions that the device lacks."""

    source_uri: str
    name: str | None
    outcome: str
    message: str
    missing: tuple[str, ...]


class NextAction(msgspec.Struct, frozen=True):
    """An action that the device lacks.

    `shortcuts` counts the shortcuts that use the action, and `unlocks` those for which it is the
    only missing action. `covered` counts the shortcuts without a missing action once this action
    and all actions ranked before it are implemented.
    """

    identifier: str
    shortcuts: int
    unlocks: int
    covered: int


class Coverage(msgspec.Struct, frozen=True):
    """Counts of the distinct shortcuts that the device can run.

    `covered` counts the shortcuts whose actions the device implements, and `ended` those that ran
    to the end. `reasons` maps the reason why a run stopped to its count, most frequent first.
    `next` ranks the missing actions. `unreadable` counts the files that contain no shortcut, by
    reason.
    """

    shortcuts: int
    covered: int
    ended: int
    reasons: dict[str, int]
    next: tuple[NextAction, ...]
    runs: tuple[ShortcutRun, ...]
    unreadable: dict[str, int] = {}


def coverage_of(
    shortcuts: Iterable[Shortcut], unreadable: dict[str, int] | None = None
) -> Coverage:
    """Run each distinct shortcut with simulated answers; skip shortcuts without actions."""
    supported = {*all_actions(), *CONTROL, *built_in("exit", "output")}
    runs = []
    distinct = {shortcut.shortcut_id: shortcut for shortcut in shortcuts if shortcut.actions}
    for shortcut in distinct.values():
        execution = run(shortcut)
        missing = {action.identifier for action in shortcut.actions} - supported
        runs.append(
            ShortcutRun(
                shortcut.source_uri,
                shortcut.name,
                execution.outcome,
                execution.message,
                tuple(sorted(missing)),
            )
        )
    reasons = Counter(
        result.message.partition(_AT_STEP)[0] or result.outcome
        for result in runs
        if result.outcome != "finished"
    )
    return Coverage(
        len(runs),
        sum(not result.missing for result in runs),
        sum(result.outcome == "finished" for result in runs),
        dict(sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))),
        # An action without an identifier cannot be implemented.
        next_actions([result.missing for result in runs if "" not in result.missing]),
        tuple(runs),
        unreadable or {},
    )


def next_actions(missing_actions: Sequence[Iterable[str]]) -> tuple[NextAction, ...]:
    """Rank the actions that the device lacks by how much each would help shortcuts to run.

    `missing_actions` contains the missing actions of each shortcut. The weight of an action is the
    sum of 1 / n**2 over the shortcuts that use it, where n is the number of missing actions of a
    shortcut. The number of shortcuts that need only this action would not suffice, because it is 0
    for many actions.
    """
    missing = [set(actions) for actions in missing_actions]
    uses = Counter(identifier for actions in missing for identifier in actions)
    ordered: list[NextAction] = []
    while any(missing):
        weights: dict[str, float] = dict.fromkeys(uses, 0.0)
        alone: Counter[str] = Counter()
        for actions in missing:
            for identifier in actions:
                weights[identifier] += 1 / len(actions) ** 2
                alone[identifier] += len(actions) == 1
        # Rounded, because the order of a set changes the last digit of a sum.
        best = min(weights, key=lambda identifier: (-round(weights[identifier], 9), identifier))
        for actions in missing:
            actions.discard(best)
        covered = sum(not actions for actions in missing)
        ordered.append(NextAction(best, uses[best], alone[best], covered))
    return tuple(ordered)
