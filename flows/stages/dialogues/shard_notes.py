"""Notes on each shard that the end of a conversion needs besides the shard's files."""

from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts
from benchloom.storage.workspace import write_file

NOTES = "notes"
LINES = "lines"


class ShardNote(msgspec.Struct, frozen=True):
    """The note on one shard: the ids of its dialogues and facts about its plans, in row order.

    An id consists of folder, dialogue id and source_uri.
    """

    ids: list[tuple[str, str, str]]
    facts: list[PathFacts]


def line_part(folder: Path, number: int) -> Path:
    """The path of one shard's lines, for formats other than Parquet."""
    return folder / LINES / f"{number:05d}.jsonl"


def write_note(folder: Path, number: int, note: ShardNote) -> None:
    """Write the note of a shard."""
    write_file(_path(folder, number), msgspec.json.encode(note))


def read_note(folder: Path, number: int) -> ShardNote:
    """Read the note of a finished shard."""
    return msgspec.json.decode(_path(folder, number).read_bytes(), type=ShardNote)


def _path(folder: Path, number: int) -> Path:
    return folder / NOTES / f"{number:05d}.json"
