"""Assign splits by cluster, and select the evaluation subset by ShortcutsBench's rules."""

from collections.abc import Mapping, Sequence

from benchloom.core.built_in_actions import RUN_SHORTCUT, UNCOUNTED
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import Shortcut
from benchloom.normalise.definitions.app_flags import AppFlags
from benchloom.normalise.definitions.index import DefinitionIndex

SHARES = (("train", 80), ("validation", 10), ("test", 10))
MAX_LENGTH = 30
NO_DEFINITIONS = "no_definitions"


def split_of(anchor: str) -> str:
    """Return the split of a cluster, 80 / 10 / 10 by its anchor, the same in every release."""
    number = int(hex_of(digest_of_parts("split", [anchor])), 16) % 100
    for name, share in SHARES:
        if number < share:
            return name
        number -= share
    return SHARES[0][0]


def evaluation_reasons(shortcut: Shortcut) -> tuple[str, ...]:
    """List, sorted, why a shortcut is excluded by rules that need no definitions."""
    reasons: list[str] = []
    if shortcut.length == 0:
        reasons.append("empty")
    if shortcut.length > MAX_LENGTH:
        reasons.append("too_long")
    if any(action.identifier == RUN_SHORTCUT for action in shortcut.actions):
        reasons.append("runs_other_shortcut")
    return tuple(sorted(reasons))


def reasons_without_definitions(shortcut: Shortcut) -> tuple[str, ...]:
    """List why a shortcut is excluded when no definitions, so no defined APIs, are joined."""
    return tuple(sorted({*evaluation_reasons(shortcut), NO_DEFINITIONS}))


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
