"""Files that each shard of a conversion writes beside its tables, for the end of the stage."""

from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts
from benchloom.storage.workspace import write_file
from flows.run.output import Shard

NOTES = "notes"
LINES = "lines"


class Note(msgspec.Struct, frozen=True):
    """The ids of a shard's dialogues and facts about its plans, in row order.

    An id consists of folder, dialogue id and source_uri.
    """

    ids: list[tuple[str, str, str]]
    facts: list[PathFacts]


def lines_of(shard: Shard) -> Path:
    """The file of a shard's lines, for formats other than Parquet."""
    return shard.beside(LINES, ".jsonl")


def write_note(shard: Shard, note: Note) -> None:
    """Write the note of a shard."""
    write_file(shard.beside(NOTES, ".json"), msgspec.json.encode(note))


def read_note(shard: Shard) -> Note:
    """Read the note of a finished shard."""
    return msgspec.json.decode(shard.beside(NOTES, ".json").read_bytes(), type=Note)
