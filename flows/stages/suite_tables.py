"""Convert a user's files to the table from which a suite of simulated worlds reads its tasks."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchloom.storage.tables import table_parts
from benchloom.worlds.suites import SUITES
from flows.run.runner import run_whole, write_tables
from flows.stages.definitions.parse import prepare_catalogue
from flows.stages.dialogues import convert
from flows.stages.dialogues.normalise import RESULTS
from flows.stages.shortcuts.execute import write_executions


def _convert(source: str, inputs: Sequence[Path], folder: Path) -> None:
    write_tables(convert.stage_name(source), folder, partial(convert.prepare, source, inputs))


_CONVERTERS: Mapping[str, Callable[[str, Sequence[Path], Path], object]] = {
    RESULTS: _convert,
    "api_definitions": lambda _suite, inputs, folder: run_whole(prepare_catalogue(inputs), folder),
    "executions": lambda _suite, inputs, folder: write_executions(inputs, folder),
}
"""For each table, the function that converts the files of a suite to a folder with this table."""


@contextmanager
def as_tables(suite: str, inputs: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """Yield folders with the table that a suite reads, after converting other files to it.

    Folders that already contain the table, from a stage or a release, are yielded unchanged, and so
    are the files of a suite that reads no table.

    Raises:
        RunError: the suite is unknown, or an input is missing or contains nothing for the suite.
    """
    table = SUITES.find(suite).table
    if not table or all(table_parts(path, table) for path in inputs):
        yield inputs
        return
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name) / table
        _CONVERTERS[table](SUITES.spelt(suite), inputs, folder)
        yield [folder]
