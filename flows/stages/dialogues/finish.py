"""At the end of a conversion, reject repeated dialogues and write statistics of the plans.

The module also merges the JSON Lines that the shards wrote.
"""

import shutil
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import msgspec
import pyarrow as pa

from benchloom.core.records import Rejected, rejected_order
from benchloom.normalise.plans.statistics import markdown_table, statistics
from benchloom.storage.tables import TableWriter, read_rows, records_in, write_table
from benchloom.storage.workspace import STATISTICS_TABLE, TemporaryFile, write_file
from flows.run.output import Part
from flows.stages.dialogues.notes import (
    LINES,
    NOTES,
    Note,
    SourceNote,
    lines_of,
    read_note,
    write_note,
    write_source,
)
from flows.stages.dialogues.options import PARQUET
from parsers.dialogues.conversion.rows import repeated

STATISTICS = "statistics.json"
FUNNEL = "funnel.json"
_RESULT_ID = ("source_id", "source_uri")


class Funnel(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a conversion.

    `plans` counts the plans of each split and category, `rejected` the rejected rows for each
    reason. `files` counts the dialogue files, `other_files` the other text files beside them;
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
    """Reject dialogues with repeated ids, then write statistics, counts and facts of the source."""
    _reject_repeats(parts)
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


def _reject_repeats(parts: Sequence[Part]) -> None:
    """Reject each dialogue whose id already occurs in an earlier shard of the same split.

    The shards are made in any order, so their ids can only be compared at the end of the stage.
    """
    known_ids: set[tuple[str, str]] = set()
    for part in parts:
        note = read_note(part)
        again = [at for at, (where, name, _) in enumerate(note.ids) if (where, name) in known_ids]
        known_ids.update((where, name) for where, name, _ in note.ids)
        if again:
            _remove(part, note, frozenset(again))


def _remove(part: Part, note: Note, again: frozenset[int]) -> None:
    """Move the dialogues at the positions in `again` from a shard's tables to its rejected rows."""
    repeats = {note.ids[at][1:] for at in again}
    remaining = [at for at in range(len(note.ids)) if at not in again]
    rejected = [*records_in(part.file("rejected"), "rejected", Rejected)]
    rejected += [repeated(source_uri, name, None) for name, source_uri in repeats]
    rejected.sort(key=rejected_order)
    with part.correction() as counts:
        for table in ("planning_paths", "dialogues", "service_results"):
            if (file := part.file(table)).exists():
                rows = read_rows(file)
                if table == "service_results":
                    ids = zip(*(rows[name].to_pylist() for name in _RESULT_ID), strict=True)
                    rows = rows.filter(
                        pa.array([row_id not in repeats for row_id in ids], pa.bool_())
                    )
                else:
                    rows = rows.take(pa.array(remaining, pa.int64()))
                with TableWriter(table, file) as writer:
                    writer.add_table(rows)
                counts.rows[table] = rows.num_rows
        lines = lines_of(part)
        if lines.exists():
            written = lines.read_bytes().splitlines(keepends=True)
            write_file(lines, b"".join(written[at] for at in remaining))
            counts.rows["planning_paths"] = len(remaining)
        counts.rows["rejected"] = write_table("rejected", rejected, part.file("rejected"))
        counts.reasons = dict(Counter(row.reason for row in rejected))
        write_note(
            part, Note([note.ids[at] for at in remaining], [note.facts[at] for at in remaining])
        )


def merge_lines(format_name: str, parts: Sequence[Part]) -> None:
    """Merge the JSON Lines of all shards into one file, and remove the intermediate files."""
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
