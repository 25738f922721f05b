"""Stage release: normalised stage folders to an immutable release."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchloom.core.progress import under_way
from benchloom.core.set_details import NO_DETAILS, SetDetails
from benchloom.normalise.redaction.spreading import Spread
from benchloom.release import ReleaseTable, build_release, list_releases
from benchloom.release.query_splits import complete_queries
from benchloom.storage.memory import MEMORY, remembering
from benchloom.storage.tables import table_names, table_parts, write_table
from benchloom.storage.workspace import CONVERSION, remove_leftovers, scratch_folder
from flows.run.engines import running
from flows.run.finished import FinishedStage, open_stages
from flows.run.processes.lean import fewer_collections
from flows.run.runner import run_stage
from flows.stages.workflow_gate import FURTHER_GATES

_REMEMBERED = 2
_WORTH_A_PROCESS = 1 << 20
"""Bytes of Parquet: of less, starting processes is most of what they do for a check."""


def release_stages(
    stages: Sequence[Path],
    releases: Path,
    version: str | None = None,
    workers: int = 1,
    details: SetDetails = NO_DETAILS,
) -> Path:
    """Build a release from every table that the finished stage folders hold.

    If several stages hold a table, their rows are merged: rows for the same thing become one
    row. Texts get the columns that depend on the whole release: their split, and whether every
    check keeps them. Conversions have a row per dialogue, so their plans are merged first, in a
    folder beside `releases`. A table that no stage made is written without rows, so that
    readers find its columns. The release is made and checked by `workers` processes, or by the
    engine of the run.

    Raises:
        RunError: a folder holds no finished stage, or two stages hold different rows under one
            key.
    """
    tables: list[ReleaseTable] = []
    with under_way("release: reading stages"):
        finished = _finished(stages, releases.parent)
    for stage in finished:
        tables += [
            ReleaseTable(name, stage.path)
            for name in table_names()
            if table_parts(stage.path, name)
        ]
    with (
        under_way("release"),
        fewer_collections(),
        remembering(releases.parent / MEMORY) as memory,
        scratch_folder(releases.parent, "release") as scratch,
        _tidied(releases),
        running().mapping(workers if _is_large(tables) else 1) as run,
    ):
        with under_way("release: completing texts"):
            completed = complete_queries([stage.path for stage in finished], scratch)
        tables = [
            ReleaseTable(table.name, completed[table.folder], table.folder)
            if table.name == "queries"
            else table
            for table in tables
        ]
        tables += _empty_tables({table.name for table in tables}, scratch / "empty")
        spread = Spread(run, scratch)
        release_folder = build_release(
            tables,
            [stage.mark for stage in finished],
            releases,
            version,
            further=FURTHER_GATES,
            spread=spread,
            details=details,
        )
        if memory is not None:
            memory.shrink(_bytes_of_newest(releases))
        return release_folder


def _bytes_of_newest(releases: Path) -> int:
    """The total bytes of the last two releases, which is the maximum size of the memory."""
    newest = [releases / version for version in list_releases(releases)[-_REMEMBERED:]]
    return sum(
        file.stat().st_size for folder in newest for file in folder.rglob("*") if file.is_file()
    )


@contextmanager
def _tidied(releases: Path) -> Iterator[None]:
    """Remove files that processes were still writing when an error ended the run."""
    try:
        yield
    finally:
        remove_leftovers(releases)


def _is_large(tables: Sequence[ReleaseTable]) -> bool:
    """Whether checking the tables takes longer than starting worker processes for it."""
    parts = [part for table in tables for part in table_parts(table.folder, table.name)]
    return sum(part.stat().st_size for part in parts) > _WORTH_A_PROCESS


def _finished(stages: Sequence[Path], workspace: Path) -> list[FinishedStage]:
    """Open finished stages; all conversions become one stage of merged plans."""
    opened = open_stages(stages)
    converted = [stage for stage in opened if stage.name.startswith(CONVERSION)]
    finished = [stage for stage in opened if stage not in converted]
    if converted:
        from flows.stages.dialogues import normalise as normalise_plans

        finished.append(run_stage(normalise_plans.prepare(converted), workspace))
    return finished


def _empty_tables(held: set[str], folder: Path) -> list[ReleaseTable]:
    """Write every defined table that is not in `held` to `folder`, without rows."""
    names = [name for name in table_names() if name not in held]
    folder.mkdir()
    for name in names:
        write_table(name, (), folder / f"{name}.parquet")
    return [ReleaseTable(name, folder) for name in names]
