"""The stage `release` builds an immutable release from normalised stage folders.

The parsers write the `workflow` text of shortcuts, and the core does not import the parsers. So the
gate that compares the text with the actions is defined here, and is passed to the code that checks,
builds or publishes a release.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from benchloom.core.progress import under_way
from benchloom.core.records import Action, Shortcut
from benchloom.core.set_details import NO_DETAILS, SetDetails
from benchloom.normalise.definitions.control_definitions import load_index
from benchloom.normalise.redaction import redact_text
from benchloom.release import ReleaseTable, build_release, list_releases
from benchloom.release.gates import AnyGate, GateView, Part, RowsPart
from benchloom.release.query_splits import complete_queries
from benchloom.release.redacting import Spread
from benchloom.storage.tables import table_names, table_parts, write_table
from benchloom.storage.workspace import CONVERSION, remove_leftovers, scratch_folder
from flows.run.engines import current_engine
from flows.run.finished import FinishedStage, open_stages
from flows.run.processes.lean import fewer_collections
from flows.run.runner import run_stage, workspace_memory
from parsers.shortcuts.wording import describe_workflow
from parsers.shortcuts.wording.filled_summaries import describe_calls


class WorkflowGate(msgspec.Struct, frozen=True):
    """A release check that reports shortcuts whose workflow text does not match their actions."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Divide this release check into parts, one for each range of rows of `shortcuts`."""
        beside = ("api_definitions",) if _is_joined(release) else ()
        return (
            RowsPart(piece, Shortcut, workflow_findings, beside, writer_of)
            for piece in release.pieces("shortcuts")
        )


def workflow_findings(
    describe: Callable[[Sequence[Action]], str], shortcut: Shortcut
) -> Iterator[str]:
    """Yield a message if the workflow text of a shortcut does not match its actions."""
    text = describe(shortcut.actions)
    if text == shortcut.workflow:
        return  # the redaction gate reports secrets in this text
    # The text of actions without secrets may still look like a secret: see `redact_shortcut`.
    if redact_text(text, rendered=True).text != shortcut.workflow:
        location = f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"
        yield f"{location}: the workflow text does not match the actions"


@lru_cache(maxsize=1)
def writer_of(release: GateView) -> Callable[[Sequence[Action]], str]:
    """Return the function that writes workflow texts from actions.

    If the shortcuts of the release were joined with definitions, it uses the definitions'
    summaries.
    """
    if not _is_joined(release):
        return describe_workflow
    index = load_index(release.folder)
    return lambda actions: describe_calls(actions, index.find)


def _is_joined(release: GateView) -> bool:
    return release.has("definition_checks", "api_definitions")


FURTHER_GATES: tuple[AnyGate, ...] = (WorkflowGate(),)


_REMEMBERED = 2
_WORTH_A_PROCESS = 1 << 20
"""Bytes of Parquet below which a check runs in this process, because starting workers would take
longer."""


def release_stages(
    stages: Sequence[Path],
    releases: Path,
    version: str | None = None,
    workers: int = 1,
    details: SetDetails = NO_DETAILS,
) -> Path:
    """Build a release from every table in the finished stage folders.

    If several stages contain a table, rows with the same key are merged. Texts get the columns that
    depend on the whole release: their split, and whether every check keeps them. Conversions have a
    row per dialogue, so their plans are merged first, in a folder beside `releases`. A table that
    no stage made is written without rows, so that readers find its columns. The release is made and
    checked by `workers` processes, or by the engine of the run.

    Raises:
        RunError: a folder contains no finished stage, or two stages have different rows with one
            key.
    """
    tables: list[ReleaseTable] = []
    with under_way("release: reading stages"):
        finished = _open_stages(stages, releases.parent)
    for stage in finished:
        tables += [
            ReleaseTable(name, stage.path)
            for name in table_names()
            if table_parts(stage.path, name)
        ]
    with (
        under_way("release"),
        fewer_collections(),
        workspace_memory(releases.parent, partial(_bytes_of_newest, releases)),
        scratch_folder(releases.parent, "release") as scratch,
        _clean_up_on_error(releases),
        current_engine().mapping(workers if _is_large(tables) else 1) as run,
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
        return build_release(
            tables,
            [stage.record for stage in finished],
            releases,
            version,
            further=FURTHER_GATES,
            spread=spread,
            details=details,
        )


def _bytes_of_newest(releases: Path) -> int:
    """Return the total size of the two newest releases in bytes, which limits the cache."""
    newest = [releases / version for version in list_releases(releases)[-_REMEMBERED:]]
    return sum(
        file.stat().st_size for folder in newest for file in folder.rglob("*") if file.is_file()
    )


@contextmanager
def _clean_up_on_error(releases: Path) -> Iterator[None]:
    """Remove files that processes were still writing when an error ended the run."""
    try:
        yield
    finally:
        remove_leftovers(releases)


def _is_large(tables: Sequence[ReleaseTable]) -> bool:
    parts = [part for table in tables for part in table_parts(table.folder, table.name)]
    return sum(part.stat().st_size for part in parts) > _WORTH_A_PROCESS


def _open_stages(stages: Sequence[Path], workspace: Path) -> list[FinishedStage]:
    """Open finished stages; conversions of dialogues are replaced by one stage of merged plans."""
    opened = open_stages(stages)
    converted = [stage for stage in opened if stage.name.startswith(CONVERSION)]
    finished = [stage for stage in opened if stage not in converted]
    if converted:
        from flows.stages.dialogues import normalise as normalise_plans

        finished.append(run_stage(normalise_plans.prepare(converted), workspace))
    return finished


def _empty_tables(existing: set[str], folder: Path) -> list[ReleaseTable]:
    """Write to `folder` each table that is defined but not in `existing`, without rows."""
    names = [name for name in table_names() if name not in existing]
    folder.mkdir()
    for name in names:
        write_table(name, (), folder / f"{name}.parquet")
    return [ReleaseTable(name, folder) for name in names]
