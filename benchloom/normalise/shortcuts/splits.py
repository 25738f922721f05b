"""Assign splits by cluster, and select the evaluation subset by ShortcutsBench's rules."""

from benchloom.core.built_in_actions import RUN_SHORTCUT
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import Shortcut

SHARES = (("train", 80), ("validation", 10), ("test", 10))
MAX_LENGTH = 30
NO_DEFINITIONS = "no_definitions"


def split_of(anchor: str) -> str:
    """The split of a cluster, by the digest of its anchor: 80 / 10 / 10.

    A shortcut without near duplicates is its own anchor. The same anchor has the same split in
    every release.
    """
    number = int(hex_of(digest_of_parts("split", [anchor])), 16) % 100
    for name, share in SHARES:
        if number < share:
            return name
        number -= share
    return SHARES[0][0]


def evaluation_reasons(shortcut: Shortcut) -> tuple[str, ...]:
    """List why a shortcut is excluded from the evaluation subset by rules without definitions.

    The list is sorted, and empty if no rule excludes the shortcut.
    """
    reasons: list[str] = []
    if shortcut.length == 0:
        reasons.append("empty")
    if shortcut.length > MAX_LENGTH:
        reasons.append("too_long")
    if any(action.identifier == RUN_SHORTCUT for action in shortcut.actions):
        reasons.append("runs_other_shortcut")
    return tuple(sorted(reasons))


def reasons_without_definitions(shortcut: Shortcut) -> tuple[str, ...]:
    """List why a shortcut is excluded when no definitions are joined; sorted, never empty.

    The subset has only shortcuts whose APIs are all defined, and without definitions no API is
    defined.
    """
    return tuple(sorted({*evaluation_reasons(shortcut), NO_DEFINITIONS}))
