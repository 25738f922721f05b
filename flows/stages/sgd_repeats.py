"""Dialogue ids that two shards of one split share: the first stays, the others are rejected."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.records import Rejected
from benchloom.stages import ShardMark, part_path, read_shard_mark, write_shard_mark
from benchloom.tables import TableWriter, read_rows
from benchloom.workspace import write_file
from flows.stages.sgd_rejected import repeated
from flows.stages.shard_notes import ShardNote, line_part, read_note, write_note


def reject_repeats(folder: Path, shards: int) -> None:
    """Compare the ids of all shards and rewrite the shards that repeat one."""
    seen: set[tuple[str, str]] = set()
    for number in range(shards):
        note = read_note(folder, number)
        keys = [(where, name) for where, name, _ in note.ids]
        again = [position for position, key in enumerate(keys) if key in seen]
        seen.update(keys)
        if again:
            _remove(folder, number, note, again)


def _remove(folder: Path, number: int, note: ShardNote, again: Sequence[int]) -> None:
    """Take the plans at positions `again` out of a shard and reject them."""
    gone = frozenset(again)
    kept = [position for position in range(len(note.ids)) if position not in gone]
    lines = line_part(folder, number)
    if lines.exists():
        written = lines.read_bytes().splitlines(keepends=True)
        write_file(lines, b"".join(written[position] for position in kept))
    else:
        part = part_path(folder, "planning_paths", number)
        rows = read_rows(part).take(pa.array(kept, type=pa.int64()))
        with TableWriter("planning_paths", part) as writer:
            writer.add_table(rows)
    rejected = part_path(folder, "rejected", number)
    rows_before = [msgspec.convert(row, Rejected) for row in read_rows(rejected).to_pylist()]
    with TableWriter("rejected", rejected) as writer:
        for row in (*rows_before, *_rejected(note, again)):
            writer.add(row)
    note = ShardNote([note.ids[at] for at in kept], [note.facts[at] for at in kept])
    write_note(folder, number, note)
    _correct_mark(folder, number, len(again))


def _rejected(note: ShardNote, again: Sequence[int]) -> Iterator[Rejected]:
    for position in again:
        _, name, source_uri = note.ids[position]
        yield repeated(source_uri, name, None)


def _correct_mark(folder: Path, number: int, count: int) -> None:
    mark = read_shard_mark(folder, number)
    if mark is not None:
        rows = {
            "planning_paths": mark.rows["planning_paths"] - count,
            "rejected": mark.rows["rejected"] + count,
        }
        reason = "repeated_dialogue_id"
        reasons = {**mark.reasons, reason: mark.reasons.get(reason, 0) + count}
        write_shard_mark(
            folder, ShardMark(number=number, objects=mark.objects, rows=rows, reasons=reasons)
        )
