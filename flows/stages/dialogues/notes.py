"""Files that each part of a conversion writes beside its tables, for the end of the stage."""

from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts
from benchloom.storage.workspace import write_file
from flows.run.output import Part

NOTES = "notes"
LINES = "lines"


class Note(msgspec.Struct, frozen=True):
    """The ids of a part's dialogues and facts about its plans, in row order.

    An id consists of folder, dialogue id and source_uri.
    """

    ids: list[tuple[str, str, str]]
    facts: list[PathFacts]


def lines_of(part: Part) -> Path:
    """The file of a part's lines, for formats other than Parquet."""
    return part.beside(LINES, ".jsonl")


def write_note(part: Part, note: Note) -> None:
    """Write the note of a part."""
    write_file(part.beside(NOTES, ".json"), msgspec.json.encode(note))


def read_note(part: Part) -> Note:
    """Read the note of a finished part."""
    return msgspec.json.decode(part.beside(NOTES, ".json").read_bytes(), type=Note)
