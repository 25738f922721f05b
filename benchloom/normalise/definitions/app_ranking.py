"""Rank the apps to fetch: compare the apps that shortcuts use with the known definitions."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.core.errors import NothingReadError
from benchloom.core.records import App, Shortcut
from benchloom.normalise.definitions.app_flags import read_flags
from benchloom.normalise.definitions.app_table import AppCounts, calls_of
from benchloom.normalise.definitions.loading import load_index
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import iter_records, table_parts
from benchloom.storage.workspace import STAGE_FILE, read_mark, valid_mark

SHORTCUT_STAGES = ("enrich-shortcuts", "normalise-shortcuts", "parse-shortcuts")
DEFINITION_STAGES = ("normalise-definitions", "parse-definitions")


def rank_apps(shortcuts: Path, definitions: Path | None, flags: Path) -> list[App]:
    """Return one row per app that the shortcuts use; `flags` is the operator's file."""
    if not table_parts(shortcuts, "shortcuts"):
        message = f"{shortcuts} holds no table of shortcuts; run 'benchloom parse shortcuts'"
        raise nothing_in(shortcuts, message)
    if definitions is not None and not table_parts(definitions, "api_definitions"):
        message = f"{definitions} holds no table of definitions; run 'benchloom parse definitions'"
        raise nothing_in(definitions, message)
    for folder in (shortcuts, definitions):
        if folder is not None:
            valid_mark(folder)
    index = load_index(definitions or shortcuts)
    counts = AppCounts()
    any_shortcut = False
    for shortcut in iter_records(shortcuts, "shortcuts", Shortcut):
        counts.add(calls_of(shortcut, [index.join(action) for action in shortcut.actions]))
        any_shortcut = True
    if not any_shortcut:
        raise NothingReadError(f"{shortcuts} has no shortcut; run 'benchloom parse shortcuts'")
    return counts.table(read_flags(flags))


def newest_stage(workspace: Path, stages: Sequence[str]) -> Path | None:
    """Return the newest run of the first stage in `stages` that the workspace contains."""
    paths_by_stage: dict[str, list[Path]] = {}
    for path in sorted(workspace.rglob(STAGE_FILE)):
        mark = read_mark(path.parent)
        if mark is not None:
            paths_by_stage.setdefault(mark.stage, []).append(path)
    for stage in stages:
        if stage in paths_by_stage:
            return max(paths_by_stage[stage], key=lambda path: (path.stat().st_mtime, path)).parent
    return None
