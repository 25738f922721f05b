"""A release gate: every task is run and proved again, and its columns must match the results."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.plain_words import shortened
from benchloom.core.records import Task as TaskRow
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.release.gates.view import GateView, Part, Piece

if TYPE_CHECKING:
    from benchloom.worlds.proofs import OpenWorlds


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts that can run in parallel, one per range of rows of `tasks`."""
    return (partial(_findings, piece) for piece in release.pieces("tasks"))


def _findings(piece: Piece, release: GateView) -> Iterator[str]:
    from benchloom.worlds.proofs import OpenWorlds
    from benchloom.worlds.proofs.secrets import secrets_in

    open_worlds = OpenWorlds()
    redactor = CellRedactor()
    try:
        for row in release.records(piece, TaskRow):
            yield from (f"tasks: {row.task_id}: {fault}" for fault in _faults(row, open_worlds))
            for kind in secrets_in(row, redactor):
                yield f"tasks: {row.task_id}: a {kind} is not redacted"
    finally:
        open_worlds.close()


def _faults(row: TaskRow, open_worlds: "OpenWorlds") -> Iterator[str]:
    from benchloom.worlds.proofs import prove_again, row_of, task_of

    try:
        again = row_of(prove_again(task_of(row), open_worlds))
    except RejectedInputError as error:
        yield f"{error.reason}: {error}"
        return
    except RunError as error:
        yield str(error).removeprefix(f"tasks: {row.task_id}: ")
        return
    for name in row.__struct_fields__:
        stored_value, replay_value = getattr(row, name), getattr(again, name)
        if stored_value != replay_value:
            differing = _shorten(replay_value)
            yield f"{name} is {_shorten(stored_value)}, but {differing} after a replay"


def _shorten(value: object) -> str:
    return shortened(msgspec.json.encode(value).decode(), 200)
