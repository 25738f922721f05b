"""Reject a dialogue whose id already occurs in an earlier part of the same split."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.core.records import Rejected
from benchloom.core.records.rejected import rejected_order
from benchloom.storage.tables import TableWriter, read_rows, write_table
from benchloom.storage.workspace import write_file
from flows.run.output import Part
from flows.stages.dialogues.notes import Note, lines_of, read_note, write_note
from parsers.dialogues.conversion.rows import repeated


def reject_repeats(parts: Sequence[Part]) -> None:
    """Rewrite each part that repeats the id of a dialogue in an earlier part."""
    seen: set[tuple[str, str]] = set()
    for part in parts:
        note = read_note(part)
        names = [(where, name) for where, name, _ in note.ids]
        again = [position for position, name in enumerate(names) if name in seen]
        seen.update(names)
        if again:
            _remove(part, note, again)


def _remove(part: Part, note: Note, again: Sequence[int]) -> None:
    """Remove the plans at positions `again` from a part and reject them."""
    gone = frozenset(again)
    remaining_positions = [position for position in range(len(note.ids)) if position not in gone]
    with part.correcting() as counts:
        _keep(part, remaining_positions, len(note.ids))
        results = _drop_results(part.file("service_results"), {note.ids[at][1:] for at in again})
        rejected = _reject(part.file("rejected"), [note.ids[at] for at in again])
        remaining_note = Note(
            [note.ids[at] for at in remaining_positions],
            [note.facts[at] for at in remaining_positions],
        )
        write_note(part, remaining_note)
        counts.rows |= {"planning_paths": len(remaining_positions), "rejected": len(rejected)}
        if counts.rows.get("dialogues"):
            counts.rows |= {"dialogues": len(remaining_positions), "service_results": results}
        counts.reasons = dict(Counter(row.reason for row in rejected))


def _keep(part: Part, positions: Sequence[int], before: int) -> None:
    """Keep only the plans and dialogues at `positions` in the files of a part.

    A file that no longer has `before` rows was rewritten earlier and is left unchanged.
    """
    lines = lines_of(part)
    if lines.exists():
        written = lines.read_bytes().splitlines(keepends=True)
        if len(written) == before:
            write_file(lines, b"".join(written[position] for position in positions))
        return
    for table in ("dialogues", "planning_paths"):
        file = part.file(table)
        rows = read_rows(file)
        if rows.num_rows == before:
            with TableWriter(table, file) as writer:
                writer.add_table(rows.take(pa.array(positions, type=pa.int64())))


def _drop_results(part: Path, gone: Collection[tuple[str, str]]) -> int:
    """Remove the service results of dialogues from a part; return how many results remain.

    `gone` contains the id and the file of each dialogue. If the part has no table of service
    results, none remain.
    """
    if not part.exists():
        return 0
    rows = read_rows(part)
    names = zip(rows["source_id"].to_pylist(), rows["source_uri"].to_pylist(), strict=True)
    remaining_positions = [position for position, name in enumerate(names) if name not in gone]
    if len(remaining_positions) < rows.num_rows:
        with TableWriter("service_results", part) as writer:
            writer.add_table(rows.take(pa.array(remaining_positions, type=pa.int64())))
    return len(remaining_positions)


def _reject(path: Path, ids: Sequence[tuple[str, str, str]]) -> list[Rejected]:
    """Add rejected rows that the file does not contain yet; return all its rows."""
    rows = [msgspec.convert(row, Rejected) for row in read_rows(path).to_pylist()]
    rows += [
        row for row in (repeated(source, name, None) for _, name, source in ids) if row not in rows
    ]
    rows.sort(key=rejected_order)
    write_table("rejected", rows, path)
    return rows
