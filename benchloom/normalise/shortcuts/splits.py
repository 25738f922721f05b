"""Assign splits by cluster, and select the evaluation subset by ShortcutsBench's rules."""

from benchloom.core.built_in_actions import RUN_SHORTCUT
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import Shortcut

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
