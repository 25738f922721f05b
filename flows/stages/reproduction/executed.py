"""This release gate checks that running the shortcuts again gives the same `executions`.

A placeholder in a released row matches any text, because a build redacts the rows after the runs.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

from benchloom.core.records import Execution, Shortcut
from benchloom.device.runs import execution_row
from benchloom.release.gates import GateView, Part, Piece
from flows.stages.reproduction.redacted import is_redacted_copy

_TABLE = "executions"


def parts(release: GateView) -> Iterator[Part]:
    """Yield one function per part of the release; it yields a message for each run that differs."""
    if release.has(_TABLE):
        yield from (partial(_findings, piece) for piece in release.pieces("shortcuts"))


def _findings(piece: Piece, release: GateView) -> Iterator[str]:
    rows = _rows(release)
    for shortcut in release.records(piece, Shortcut):
        row = rows.get((shortcut.shortcut_id, shortcut.source_digest, shortcut.source_uri))
        location = f"{_TABLE}: {shortcut.shortcut_id} ({shortcut.source_digest})"
        if row is None:
            yield f"{location}: this row is missing, although its shortcut is in the release"
            continue
        again = execution_row(shortcut)
        names = [
            name
            for name in row.__struct_fields__
            if not is_redacted_copy(getattr(row, name), getattr(again, name))
        ]
        if names:
            yield f"{location}: {', '.join(names)}: a new run of the shortcut has other values"


@lru_cache(maxsize=1)
def _rows(release: GateView) -> dict[tuple[str, str, str], Execution]:
    rows = (row for piece in release.pieces(_TABLE) for row in release.records(piece, Execution))
    return {(row.shortcut_id, row.source_digest, row.source_uri): row for row in rows}
