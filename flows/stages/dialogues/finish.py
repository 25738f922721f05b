"""The end of a conversion: repeated dialogues, statistics and funnel; merged lines."""

import shutil
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import msgspec

from benchloom.normalise.plans.statistics import markdown_table, statistics
from benchloom.storage.workspace import STATISTICS_TABLE, TemporaryFile, write_file
from flows.run.output import Part
from flows.stages.dialogues.notes import LINES, NOTES, lines_of, read_note
from flows.stages.dialogues.options import PARQUET
from flows.stages.dialogues.repeats import reject_repeats
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
    parts: Sequence[Part], source: SourceNote, *, files: int, others: int
) -> None:
    """Reject ids that occur in several parts, then write statistics, funnel and source."""
    reject_repeats(parts)
    folder = parts[0].folder
    write_source(folder, source)
    rows = statistics(chain.from_iterable(read_note(part).facts for part in parts))
    plans: dict[str, dict[str, int]] = {}
    for row in rows:
        plans.setdefault(row.split, {})[row.category] = row.samples
    counts = [part.counts for part in parts]
    rejected = Counter[str]()
    for part_counts in counts:
        rejected.update(part_counts.reasons)
    funnel = Funnel(
        files=files,
        other_files=others,
        dialogues=sum(part_counts.objects for part_counts in counts),
        plans=plans,
        rejected=dict(sorted(rejected.items())),
    )
    write_file(folder / STATISTICS, msgspec.json.format(msgspec.json.encode(rows), indent=1))
    write_file(folder / STATISTICS_TABLE, markdown_table(rows).encode())
    write_file(folder / FUNNEL, msgspec.json.format(msgspec.json.encode(funnel), indent=1))


def merge_lines(format_name: str, parts: Sequence[Part]) -> None:
    """Merge the lines of all parts into one file, and remove what only this stage reads."""
    folder = parts[0].folder
    shutil.rmtree(folder / NOTES)
    if format_name == PARQUET:
        return
    temporary = TemporaryFile(folder / f"planning_paths.{format_name}.jsonl")
    with temporary.path.open("wb") as merged:
        for part in parts:
            with lines_of(part).open("rb") as lines:
                shutil.copyfileobj(lines, merged)
    temporary.commit()
    shutil.rmtree(folder / LINES)
