"""Find and open finished stages, and check that their files are unchanged."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.core.progress import say
from benchloom.storage.inputs import SourceFile, nothing_in
from benchloom.storage.tables import table_names, table_parts
from benchloom.storage.workspace import (
    STAGE_FILE,
    FunnelStep,
    StageMark,
    read_mark,
    valid_mark,
    write_mark,
)

_DEPTH = ("*", "*/*")
"""Patterns of the folders that are searched for stages. In a workspace, stages are two levels down.
"""
_MAX_LISTED = 8


def is_empty(rows: Mapping[str, int]) -> bool:
    """Whether no table except `rejected` and `conflicts` has rows."""
    return not any(n for table, n in rows.items() if table not in {"rejected", "conflicts"})


@dataclass(frozen=True)
class FinishedStage:
    """A stage whose tables are complete and unchanged since they were written.

    Attributes:
        path: the folder that contains its tables.
        record: the content of its `stage.json`.
    """

    path: Path
    record: StageMark

    @property
    def key(self) -> str:
        """The digest of everything that determined the rows, such as inputs, options and code."""
        return self.record.key

    @property
    def name(self) -> str:
        """The name of the stage."""
        return self.record.stage

    @property
    def objects(self) -> int:
        """The number of input objects that the stage read."""
        return self.record.objects

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows of each table."""
        return self.record.rows

    @property
    def reasons(self) -> dict[str, int]:
        """The number of rejected rows for each reason."""
        return self.record.reasons

    @property
    def sources(self) -> Sequence[SourceFile]:
        """The files from which the rows were made."""
        return self.record.sources

    @property
    def digest(self) -> str:
        """The digest of all files and counts of the stage."""
        return f"stage:sha256:{self.record.seal}"

    @property
    def steps(self) -> Sequence[FunnelStep]:
        """The counts of this stage and of all stages before it, in the order in which they ran."""
        return self.record.funnel()


def open_stage(path: Path, name: str = "") -> FinishedStage:
    """Open the finished stage in a folder, and check that its files are unchanged.

    Args:
        path: the folder.
        name: the name of the expected stage, or the beginning of its name; "" accepts every stage.

    Raises:
        RunError: the folder contains no finished stage, another stage, or changed files.
    """
    stage = stage_in(path)
    if stage is None:
        kind = f"'{name}' stage" if name else "stage"
        message = f"{path} contains no finished {kind}{_list_stages(_stages_below(path))}"
        raise nothing_in(path, message)
    if not stage.name.startswith(name):
        message = f"{path} contains the finished stage '{stage.name}', not '{name}'"
        raise RunError(f"{message}; pass another folder")
    return stage


def stage_in(path: Path) -> FinishedStage | None:
    """Open the finished stage in a folder, or return None if the folder contains no finished stage.

    Raises:
        RunError: a file of the stage was changed or is missing.
    """
    mark = valid_mark(path)
    return None if mark is None else FinishedStage(path, mark)


def add_files(path: Path) -> None:
    """Add new files in the folder of a finished stage to the list of its files in `stage.json`."""
    mark = read_mark(path)
    if mark is not None:
        write_mark(path, mark)


def find_stage(path: Path, key: str) -> FinishedStage | None:
    """Open the stage in a folder, or return None if it is not finished or has another key.

    Raises:
        RunError: the stage was finished, but its files were changed afterwards.
    """
    mark = read_mark(path)
    return open_stage(path) if mark is not None and mark.key == key else None


def open_stages(paths: Iterable[Path]) -> list[FinishedStage]:
    """Open finished stages; return a stage once, even if its folder is passed twice or as a copy.

    Raises:
        RunError: a folder contains no finished stage, or changed files.
    """
    stages: dict[str, FinishedStage] = {}
    for path in paths:
        stage = open_stage(path)
        stages.setdefault(stage.key, stage)
    return list(stages.values())


def merged_sources(stages: Iterable[FinishedStage]) -> list[SourceFile]:
    """Return the source files of several stages, each file once."""
    files = {(file.source_uri, file.digest): file for stage in stages for file in stage.sources}
    return [files[name] for name in sorted(files)]


def stage_with(folder: Path, tables: Sequence[str]) -> Path:
    """Return the folder itself, or the newest stage below it that contains all the tables.

    The folder itself is returned if it contains any of the tables, or if there is no stage below
    it.

    Raises:
        RunError: there are stages below the folder, but none of them contains all tables.
    """
    if not tables or any(table_parts(folder, table) for table in tables):
        return folder
    stages = _stages_below(folder)
    fitting = [stage for stage in stages if all(table_parts(stage, name) for name in tables)]
    if fitting:
        chosen = max(fitting, key=lambda stage: ((stage / STAGE_FILE).stat().st_mtime_ns, stage))
        say(f"reading {chosen}")
        return chosen
    if stages:
        raise RunError(
            f"{folder} contains no stage with {' and '.join(tables)}{_list_stages(stages)}"
        )
    return folder


def _stages_below(folder: Path) -> list[Path]:
    return sorted(path.parent for depth in _DEPTH for path in folder.glob(f"{depth}/{STAGE_FILE}"))


def _list_stages(stages: Sequence[Path]) -> str:
    if not stages:
        return "; pass a folder that a command wrote with --out, or a stage folder of the workspace"
    names = table_names()
    described = [
        f"{stage} ({', '.join(name for name in names if table_parts(stage, name)) or 'no table'})"
        for stage in stages[:_MAX_LISTED]
    ]
    further = f" and {len(stages) - _MAX_LISTED} more" if len(stages) > _MAX_LISTED else ""
    return f"; pass one of its stages: {', '.join(described)}{further}"
