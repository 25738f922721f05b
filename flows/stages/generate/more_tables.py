"""Combine several folders into one, for steps that read texts and the rows they are about."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchloom.storage.tables import table_parts
from benchloom.storage.workspace import sound_mark
from flows.stages.generate.plan import tables_read
from prompts.steps import STEPS


@contextmanager
def beside_each_other(step: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield one folder that contains every table that the step reads.

    A single folder is yielded unchanged. For several folders, a new folder with links to their
    tables is yielded, and removed when the block ends. Linked parts are named by their order
    alone, so that the same content has the same key wherever it is.

    Raises:
        RunError: a folder is damaged, or the step is unknown.
    """
    if len(folders) == 1:
        yield folders[0]
        return
    tables = tables_read(STEPS.find(step))
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        linked = Path(name)
        for folder in folders:
            sound_mark(folder)
        for table in tables:
            parts = [part for folder in folders for part in table_parts(folder, table)]
            if parts:
                (linked / table).mkdir()
            for number, part in enumerate(parts):
                (linked / table / f"{table}-{number:05d}.parquet").symlink_to(part.resolve())
        yield linked
