"""Export the tasks of a release, or of `benchloom world build`, in a format for training."""

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError, RunError
from benchloom.exchange.examples.distractors import Distraction
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats.base import SPLITS, LineFiles
from benchloom.release import read_manifest
from benchloom.storage.workspace import temporary_folder
from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.task_reader import TABLE, read_tasks
from benchloom.worlds.task_formats import TASK_FORMATS, FolderFormat, RowFormat, TaskFormat
from flows.run.finished import stage_in
from flows.stages.export import check_files, export_release, require_empty
from flows.stages.export.card import Exported, Origin, write_card

_ENCODER = msgspec.json.Encoder()


def export_as(
    release: Path,
    format_name: str,
    out: Path,
    choice: Choice,
    *,
    table: str | None = None,
    distraction: Distraction | None = None,
) -> Exported:
    """Write examples or tasks of a release, depending on whether the format is one for tasks.

    Raises:
        RunError: a format, table or split is unknown, an option does not apply to tasks, `out` is
            not empty, or the release was changed.
        GateError: there is nothing to export, or the release was changed.
    """
    if TASK_FORMATS.spelt(format_name) not in TASK_FORMATS.names():
        return export_release(
            release, format_name, out, choice, table=table, distraction=distraction
        )
    if table not in {None, TABLE}:
        raise RunError(f"'{format_name}' cannot store {table}; it stores {TABLE}")
    if distraction is not None and distraction.count:
        raise RunError(
            f"'{format_name}' accepts no --distractors; pass them to 'benchloom world build'"
        )
    return export_tasks(release, format_name, out, split=choice.split)


def export_tasks(
    release: Path, format_name: str, out: Path, *, split: str | None = None
) -> Exported:
    """Write the tasks of a release, or of one split, into a missing or empty folder.

    `release` may also be a folder that 'world build' wrote.

    Raises:
        RunError: the format is unknown, the folder has no tasks or was changed since it was
            built, or `out` is not empty.
        GateError: no task is in the split, or the release was changed.
    """
    task_format = TASK_FORMATS.find(format_name)
    version, digest = _check(release)
    require_empty(out)
    with temporary_folder(out) as folder:
        splits, sources = _write(task_format, release, folder, split)
        if not splits:
            raise GateError("nothing was exported", (f"the split '{split}' has no task",))
        exported = Exported(
            release=version,
            content_digest=digest,
            format=format_name,
            table=TABLE,
            split=split,
            examples=sum(splits.values()),
            splits=splits,
        )
        tools = "the distractors of the tasks"
        origin = Origin(title=task_format.title, sources=sources, distractors=tools)
        return write_card(folder, exported, origin)


def _check(folder: Path) -> tuple[str, str]:
    """Check that the tasks are unchanged; return the release's version ("" if none) and digest."""
    stage = stage_in(folder)
    if stage is not None and stage.rows.get(TABLE):
        return "", stage.digest
    manifest = read_manifest(folder)
    if not manifest.tables().get(TABLE):
        raise RunError(
            f"{folder} has no tasks; make them with 'benchloom world build', and pass its --out "
            f"folder"
        )
    check_files(folder, manifest, (TABLE,))
    return manifest.version, manifest.content_digest


def _write(
    task_format: TaskFormat, release: Path, folder: Path, split: str | None
) -> tuple[dict[str, int], set[str]]:
    """Write the tasks of each split, as a file of lines or as a folder per task.

    Return the number of tasks of each split, and the sources of the tasks.
    """
    splits: Counter[str] = Counter()
    sources: set[str] = set()
    with closing(LineFiles(folder)) as lines:
        for task in read_tasks(release):
            if split is not None and task.split != split:
                continue
            offer = offer_of_task(task, replies=task_format.replies)
            stem = task.split if task.split in SPLITS else "data"
            if isinstance(task_format, RowFormat):
                lines.write(f"{stem}.jsonl", _ENCODER.encode(task_format.row(task, offer)))
            if isinstance(task_format, FolderFormat):
                digits = task.task_id.rpartition(":")[2]
                _write_files(folder / stem / digits, task_format.files(task, offer))
            splits[task.split] += 1
            sources.add(task.source)
    return dict(sorted(splits.items())), sources


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if content.startswith(b"#!"):
            target.chmod(0o755)
