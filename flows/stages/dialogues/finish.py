"""The end of a conversion: merged files, statistics and funnel."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts, markdown_table, statistics
from benchloom.storage.stages import drop_parts, merge_parts, read_shard_mark
from benchloom.storage.workspace import STATISTICS_TABLE, TemporaryFile, write_file
from flows.stages.dialogues.repeats import reject_repeats
from flows.stages.dialogues.shard_notes import LINES, NOTES, line_part, read_note
from flows.stages.dialogues.source_notes import SourceNote, write_source

STATISTICS = "statistics.json"
FUNNEL = "funnel.json"


class Funnel(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of all dialogues: `plans` by split and category, `rejected` by reason.

    `files` counts the dialogue files, `other_files` the other text files beside them;
    `dialogues` also counts one for each file that contains no dialogue.
    """

    files: int
    other_files: int
    dialogues: int
    plans: dict[str, dict[str, int]]
    rejected: dict[str, int]


def finish_conversion(
    folder: Path, shards: int, source: SourceNote, *, files: int, others: int
) -> None:
    """Reject ids that occur in several shards, then write statistics, funnel and source."""
    reject_repeats(folder, shards)
    write_source(folder, source)
    rows = statistics(_facts(folder, shards))
    plans: dict[str, dict[str, int]] = {}
    for row in rows:
        plans.setdefault(row.split, {})[row.category] = row.samples
    rejected: Counter[str] = Counter()
    dialogues = 0
    for number in range(shards):
        mark = read_shard_mark(folder, number)
        if mark is not None:
            rejected.update(mark.reasons)
            dialogues += mark.objects
    funnel = Funnel(
        files=files,
        other_files=others,
        dialogues=dialogues,
        plans=plans,
        rejected=dict(sorted(rejected.items())),
    )
    write_file(folder / STATISTICS, msgspec.json.format(msgspec.json.encode(rows), indent=1))
    write_file(folder / STATISTICS_TABLE, markdown_table(rows).encode())
    write_file(folder / FUNNEL, msgspec.json.format(msgspec.json.encode(funnel), indent=1))


def merge_conversion(folder: Path, shards: int, format_name: str) -> None:
    """Merge the shards' parts into one file each, and remove the shards' temporary notes."""
    tables = ["rejected"]
    if format_name == "parquet":
        tables += ["api_definitions", "dialogues", "planning_paths", "service_results"]
    merge_parts(folder, tables)
    drop_parts(folder, tables)
    if format_name != "parquet":
        _merge_lines(folder, shards, folder / f"planning_paths.{format_name}.jsonl")
    shutil.rmtree(folder / NOTES)


def _facts(folder: Path, shards: int) -> Iterator[PathFacts]:
    for number in range(shards):
        yield from read_note(folder, number).facts


def _merge_lines(folder: Path, shards: int, final: Path) -> None:
    temporary = TemporaryFile(final)
    with temporary.path.open("wb") as merged:
        for number in range(shards):
            with line_part(folder, number).open("rb") as part:
                shutil.copyfileobj(part, merged)
    temporary.commit()
    shutil.rmtree(folder / LINES)
