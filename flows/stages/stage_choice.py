"""Choose the folder of a stage in a folder that the user named."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.core.progress import say
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import table_names, table_parts
from benchloom.storage.workspace import STAGE_FILE, StageMark, valid_mark

_DEPTH = ("*", "*/*")
"""A workspace holds stages two levels down, `normalised` and its like hold them one level down."""
_MOST = 8


def stage_with(folder: Path, tables: Sequence[str]) -> Path:
    """Return the folder if it holds the tables, else the newest stage below it that holds them.

    Raises:
        RunError: there are stages below the folder, but none of them holds the tables.
    """
    if not tables or any(table_parts(folder, table) for table in tables):
        return folder
    stages = stages_below(folder)
    fitting = [stage for stage in stages if all(table_parts(stage, name) for name in tables)]
    if fitting:
        chosen = max(fitting, key=lambda stage: ((stage / STAGE_FILE).stat().st_mtime_ns, stage))
        say(f"reading {chosen}")
        return chosen
    if stages:
        raise RunError(f"{folder} holds no stage with {' and '.join(tables)}{_listed(stages)}")
    return folder


def stage_mark(folder: Path) -> StageMark:
    """Return the mark of a finished stage.

    Raises:
        RunError: the folder contains none.
    """
    mark = valid_mark(folder)
    if mark is None:
        raise no_stage(folder)
    return mark


def no_stage(folder: Path) -> RunError:
    """Return the error for a folder that is not a finished stage, naming the stages below it."""
    return nothing_in(folder, f"{folder} holds no finished stage{_listed(stages_below(folder))}")


def stages_below(folder: Path) -> list[Path]:
    """The folders of stages below a folder of a workspace."""
    return sorted(path.parent for depth in _DEPTH for path in folder.glob(f"{depth}/{STAGE_FILE}"))


def _listed(stages: Sequence[Path]) -> str:
    """List the stages with their tables, for the end of an error message."""
    if not stages:
        return "; name the folder that a command wrote with --out, or one below the workspace"
    names = table_names()
    described = [
        f"{stage} ({', '.join(name for name in names if table_parts(stage, name)) or 'no table'})"
        for stage in stages[:_MOST]
    ]
    further = f" and {len(stages) - _MOST} more" if len(stages) > _MOST else ""
    return f"; name one of those below it: {', '.join(described)}{further}"
