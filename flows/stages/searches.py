"""Searches for secrets that earlier runs in a workspace made, so that they are not made again."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

import pyarrow as pa

from benchloom.cleaning import REUSED
from benchloom.code_digests.remembered import remembering_code
from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.redaction.searched import remembering
from benchloom.release.sharding import keeping_files
from benchloom.tables import table_names
from flows.stages.sharded import stage_path

SEARCH = StageCode(
    stage="search",
    module="benchloom.normalise.redaction.texts",
    tables=("api_definitions", "planning_paths", "shortcuts"),
    work=("scan_text",),
    also=(
        "benchloom.normalise.redaction.cells:CellRedactor",
        "benchloom.release.gates.contract:findings",
        "benchloom.release.gates.derived:findings",
        "benchloom.release.gates.documents:_document_findings",
        "benchloom.release.gates.file_sets:_foreign_row",
        "benchloom.release.gates.plans:findings",
        "benchloom.release.gates.redaction:findings",
        "benchloom.release.gates.references:findings",
        "benchloom.release.redacting:redact_parts",
        "flows.stages.workflow_gate:_rule",
    ),
)
"""What decides what is found in a text, in a cell, and in a row by gates that look at one."""


RELEASED = StageCode(
    stage="released",
    module="benchloom.release.sharding.shards",
    tables=tuple(table_names()),
    work=("Taken",),
)
"""What decides the bytes of a file of a released table, besides its rows."""


def keeping_released(workspace: Path) -> AbstractContextManager[None]:
    """Know the files of tables that the release before was made of; keep those of this one."""
    key = RELEASED.key([pa.__version__])
    return keeping_files(stage_path(workspace / REUSED, "released", key))


@contextmanager
def remembering_searches(workspace: Path, user: str, *, little: bool = False) -> Iterator[None]:
    """Know the texts that were searched in a workspace; what `user` searches is known from then on.

    A user forgets what it did not meet again, so the store grows with the newest inputs alone. What
    others know is read late where `little` is searched.
    """
    with remembering_code(workspace / REUSED):
        folder = stage_path(workspace / REUSED, "searched", _code())
    with remembering(folder, user, little=little):
        yield


@cache
def _code() -> str:
    return SEARCH.key(())
