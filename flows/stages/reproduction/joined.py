"""This release gate checks that joining shortcuts with definitions again gives the same rows.

The gate joins shortcuts with `api_definitions` again and compares three results: whether each
shortcut belongs to the evaluation subset (and why not), each shortcut's row of `definition_checks`,
and the counts of `apps`. In a release without definitions only the rules that need no definitions
are applied.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial

import msgspec
import pyarrow.compute as pc

from benchloom.core.records import App, DefinitionCheck, Rejected, Shortcut
from benchloom.normalise.definitions import DefinitionIndex
from benchloom.normalise.definitions.app_table import AppCounts, AppFlags
from benchloom.normalise.definitions.control_definitions import load_index
from benchloom.normalise.shortcuts.splits import find_exclusions
from benchloom.release.gates import GateView, Part, Piece
from flows.stages.shortcuts.join import STAGE, check_of, exclusion_row

_CHECKS = "definition_checks"
_ID_COLUMNS = ("shortcut_id", "source_digest", "source_uri")
_ENCODER = msgspec.msgpack.Encoder()


def parts(release: GateView) -> Iterator[Part]:
    """Yield a function for each part of the release, which yields a message per changed row."""
    for piece in release.pieces("shortcuts"):
        yield partial(_join_findings if release.has(_CHECKS) else _plain_findings, piece)
    if release.has(_CHECKS):
        yield from (_app_findings, _exclusion_findings)


def _plain_findings(piece: Piece, release: GateView) -> Iterator[str]:
    """In a release without definitions, yield a message for each shortcut with wrong exclusions."""
    for shortcut in release.records(piece, Shortcut):
        if shortcut.split is not None:  # stages before the evaluation subset set no split
            yield from _differences(shortcut, find_exclusions(shortcut, None, {}))


def _row_findings(shortcut: Shortcut, check: DefinitionCheck) -> Iterator[str]:
    yield from _differences(shortcut, check.exclusions)
    for action, joined in zip(shortcut.actions, check.actions, strict=True):
        if action.definition_id != joined.definition_id:
            yield (
                f"{_shortcut_name(shortcut)}: action {action.index} has the definition "
                f"{action.definition_id}, but its API has {joined.definition_id}"
            )


def _differences(shortcut: Shortcut, reasons: tuple[str, ...]) -> Iterator[str]:
    if shortcut.evaluation_reasons != reasons or shortcut.evaluation != (not reasons):
        released_reasons = ", ".join(shortcut.evaluation_reasons) or "none"
        yield (
            f"{_shortcut_name(shortcut)}: evaluation is {shortcut.evaluation} "
            f"with the reasons {released_reasons}; "
            f"a new join has the reasons {', '.join(reasons) or 'none'}"
        )


def _shortcut_name(shortcut: Shortcut) -> str:
    return f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"


def _join_findings(piece: Piece, release: GateView) -> Iterator[str]:
    """Yield a message for each shortcut or row of `definition_checks` that a new join changes."""
    index, flags = _load(release), _flags(release)
    released = _digests_of_checks(release)
    for shortcut in release.records(piece, Shortcut):
        check = check_of(shortcut, index, flags)
        yield from _row_findings(shortcut, check)
        if _digest(check) not in released:
            yield _check_finding(release, check)


def _check_finding(release: GateView, check: DefinitionCheck) -> str:
    location = f"{_CHECKS}: {check.shortcut_id} ({check.source_digest})"
    for piece in release.pieces(_CHECKS):
        for row in release.records(piece, DefinitionCheck):
            if all(getattr(row, name) == getattr(check, name) for name in _ID_COLUMNS):
                names = [n for n in row.__struct_fields__ if getattr(row, n) != getattr(check, n)]
                columns = ", ".join(names)
                return f"{location}: {columns}: a new join has other values"
    return f"{location}: this row is missing, although its shortcut is in the release"


def definition_index(release: GateView) -> DefinitionIndex | None:
    """Return the definitions that shortcuts were joined with, or None if they were not joined."""
    return _load(release) if release.has(_CHECKS) else None


@lru_cache(maxsize=1)
def _load(release: GateView) -> DefinitionIndex:
    """Load the definitions of a release, and our own definitions of control actions."""
    return load_index(release.folder)


@lru_cache(maxsize=1)
def _flags(release: GateView) -> dict[str, AppFlags]:
    """Read the flags that the operator set for apps; only the table `apps` contains them."""
    names = AppFlags.__struct_fields__
    return {
        str(app): msgspec.convert(dict(zip(names, values, strict=True)), AppFlags)
        for app, *values in release.rows("apps", ["app", *names])
    }


@lru_cache(maxsize=1)
def _digests_of_checks(release: GateView) -> frozenset[bytes]:
    pieces = release.pieces(_CHECKS)
    return frozenset(
        _digest(row) for piece in pieces for row in release.records(piece, DefinitionCheck)
    )


def _digest(check: DefinitionCheck) -> bytes:
    return hashlib.blake2b(_ENCODER.encode(check), digest_size=16).digest()


def _app_findings(release: GateView) -> Iterator[str]:
    """Yield a message for each app whose counts differ from the actions of the shortcuts."""
    counts = AppCounts()
    columns = ["actions.app", "actions.identifier", "actions.definition_id"]
    for batch in release.batches("shortcuts", columns):
        actions = batch.column("actions")
        flat = pc.list_flatten(actions)
        names = ("app", "identifier", "definition_id")
        calls = list(zip(*(pc.struct_field(flat, name).to_pylist() for name in names), strict=True))
        start = 0
        for length in pc.list_value_length(actions).to_pylist():
            counts.add(calls[start : start + length])
            start += length
    expected = {row.app: row for row in counts.table(_flags(release))}
    for piece in release.pieces("apps"):
        for row in release.records(piece, App):
            again = expected.pop(row.app, None)
            if again is None:
                yield f"apps: {row.app}: no shortcut of the release has an action of this app"
                continue
            for name in row.__struct_fields__:
                if getattr(row, name) != getattr(again, name):
                    released, counted = getattr(row, name), getattr(again, name)
                    values = f"{name} is {released}, but the shortcuts contain {counted}"
                    yield f"apps: {row.app}: {values}"
    yield from (f"apps: {app}: missing, although shortcuts have actions of it" for app in expected)


def _exclusion_findings(release: GateView) -> Iterator[str]:
    """Yield a message for each exclusion that only `shortcuts` or only `rejected` contains.

    A shortcut that is excluded from evaluation has its reasons in both tables.
    """
    columns = ["shortcut_id", "source_uri", "evaluation_reasons"]
    expected = Counter(
        exclusion_row(str(shortcut_id), str(uri), reasons)
        for shortcut_id, uri, reasons in release.rows("shortcuts", columns)
        if isinstance(reasons, list) and reasons
    )
    rows = (row for piece in release.pieces("rejected") for row in release.records(piece, Rejected))
    expected.subtract(row for row in rows if row.stage == STAGE)
    for row, count in sorted(expected.items(), key=lambda entry: str(entry[0])):
        if count:
            fault = "missing" if count > 0 else "no shortcut of the release has these reasons"
            yield f"rejected: {row.stage}, {row.digest}, {row.message}: {fault}"
