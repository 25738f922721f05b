"""A release gate: a shortcut's length, level, counts and split must agree with its actions.

The split must also agree with the cluster of near duplicates to which the shortcut belongs.
"""

from collections.abc import Iterator

from benchloom.core.identity import hex_of
from benchloom.core.records import Shortcut
from benchloom.core.records.shortcut import level_of, measure
from benchloom.normalise.shortcuts.splits import split_of
from benchloom.release.gates.rows import RowsPart
from benchloom.release.gates.view import GateView, Part


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts that can run in parallel, each for a range of `shortcuts`."""
    return (RowsPart(piece, Shortcut, _findings) for piece in release.pieces("shortcuts"))


def _findings(shortcut: Shortcut) -> Iterator[str]:
    for column, stored_value, derived in contradictions(shortcut):
        location = f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"
        yield f"{location}: {column} is {stored_value}, expected {derived}"


def contradictions(shortcut: Shortcut) -> Iterator[tuple[str, object, object]]:
    """Compute columns of a shortcut again.

    Yield (column, stored value, new value) where they differ.
    """
    measures = measure(shortcut.actions)
    anchor = shortcut.near_duplicate_cluster or shortcut.shortcut_id
    derived: dict[str, tuple[object, object]] = {
        "length": (shortcut.length, measures.length),
        "level": (shortcut.level, level_of(measures.length)),
        "unique_api_count": (shortcut.unique_api_count, measures.unique_api_count),
        "action_count": (shortcut.action_count, measures.action_count),
    }
    if shortcut.split is not None:
        derived["split"] = (shortcut.split, split_of(f"shortcut:sha256:{hex_of(anchor)}"))
    for column, (stored_value, derived_value) in derived.items():
        if stored_value != derived_value:
            yield column, stored_value, derived_value
