"""Convert files of recorded dialogues to the tables that a suite of worlds replays."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchloom.storage.tables import table_parts
from flows.stages.dialogues.convert import convert_to_folder
from flows.stages.dialogues.results import TABLE
from parsers.dialogues.sources import DIALOGUE_SOURCES


@contextmanager
def as_tables(suite: str, inputs: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """Yield the tables that a suite replays; files of recorded dialogues are converted first.

    Folders that already contain the tables, from a conversion or a release, are used unchanged.

    Raises:
        RunError: an input is missing or contains no dialogues.
    """
    if suite not in DIALOGUE_SOURCES.names() or all(table_parts(path, TABLE) for path in inputs):
        yield inputs
        return
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name) / suite
        convert_to_folder(suite, inputs, folder)
        yield [folder]
