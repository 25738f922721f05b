"""Splits by cluster, and the subset for evaluation after ShortcutsBench's rules."""

from collections.abc import Set as AbstractSet

from benchloom.built_in_actions import RUN_SHORTCUT
from benchloom.identity import digest_of_parts, hex_of
from benchloom.records import Shortcut

SHARES = (("train", 80), ("validation", 10), ("test", 10))
MAX_LENGTH = 30


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


def evaluation_reasons(
    shortcut: Shortcut, defined_apis: AbstractSet[str] | None = None
) -> tuple[str, ...]:
    """Why a shortcut is left out of the evaluation subset, sorted; empty where it is in.

    `defined_apis` are the identifiers that have a definition; None leaves that rule out.
    """
    reasons: list[str] = []
    identifiers = {action.identifier for action in shortcut.actions}
    if shortcut.length == 0:
        reasons.append("empty")
    if shortcut.length > MAX_LENGTH:
        reasons.append("too_long")
    if RUN_SHORTCUT in identifiers:
        reasons.append("runs_other_shortcut")
    if defined_apis is not None and not identifiers <= defined_apis:
        reasons.append("missing_definition")
    return tuple(sorted(reasons))
