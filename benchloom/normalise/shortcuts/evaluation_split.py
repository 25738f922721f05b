"""Evaluation split: shortcuts whose APIs are all defined, current, findable and free to use.

The rules that need no definitions are in `benchloom.normalise.shortcuts.splits`.
"""

from collections.abc import Mapping, Sequence

from benchloom.core.built_in_actions import UNCOUNTED
from benchloom.core.records import Shortcut
from benchloom.normalise.definitions.app_flags import AppFlags
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.normalise.shortcuts.splits import NO_DEFINITIONS, evaluation_reasons


def find_exclusions(
    shortcut: Shortcut, index: DefinitionIndex, flags: Mapping[str, AppFlags]
) -> tuple[str, ...]:
    """List why the evaluation split excludes a shortcut, sorted; empty if included."""
    reasons = set(evaluation_reasons(shortcut))
    for action in shortcut.actions:
        if action.identifier in UNCOUNTED:
            continue
        definition = index.find(action.identifier)
        if definition is None:
            reasons.add("missing_definition")
        elif definition.deprecated:
            reasons.add("deprecated_api")
        elif not definition.discoverable:
            reasons.add("non_discoverable_api")
        marked = flags.get(action.app)
        if marked is not None:
            reasons.update(f"{word}_app" for word in marked.words())
    return tuple(sorted(reasons))


_FIRST_NAMED = (
    "empty",
    "too_long",
    "runs_other_shortcut",
    NO_DEFINITIONS,
    "missing_definition",
    "deprecated_api",
    "non_discoverable_api",
)


def first_reason(exclusions: Sequence[str]) -> str:
    """Return the plainest reason; statistics count the shortcut under this reason only."""
    for reason in _FIRST_NAMED:
        if reason in exclusions:
            return reason
    return exclusions[0]
