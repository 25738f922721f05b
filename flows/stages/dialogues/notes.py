"""Notes that each part of a conversion writes beside its tables, for the end of the stage."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts
from benchloom.storage.workspace import write_file
from flows.run.output import Part

SOURCE = "source.json"


class SourceNote(msgspec.Struct, frozen=True):
    """Title, address and licence of a converted dataset, as its source module states them."""

    name: str
    title: str
    licence: str
    address: str


def write_source(folder: Path, note: SourceNote) -> None:
    """Write the note beside the tables of a conversion."""
    write_file(folder / SOURCE, msgspec.json.format(msgspec.json.encode(note), indent=1))


def sources_table(folders: Sequence[Path]) -> str:
    """Return the datasets of conversions as a Markdown table."""
    lines = ["| source | dataset | licence | address |", "|---|---|---|---|"]
    for folder in folders:
        note = msgspec.json.decode((folder / SOURCE).read_bytes(), type=SourceNote)
        lines.append(f"| {note.name} | {note.title} | {note.licence} | {note.address} |")
    return "\n".join(dict.fromkeys(lines)) + "\n"


NOTES = "notes"
LINES = "lines"


class Note(msgspec.Struct, frozen=True):
    """The ids of a part's dialogues and facts about the part's plans, both in row order.

    An id consists of folder, dialogue id and source_uri.
    """

    ids: list[tuple[str, str, str]]
    facts: list[PathFacts]


def lines_of(part: Part) -> Path:
    """Return the path of the JSON Lines file of a part, for formats other than Parquet."""
    return part.beside(LINES, ".jsonl")


def write_note(part: Part, note: Note) -> None:
    """Store a part's dialogue ids and plan facts in a JSON file beside the part's tables."""
    write_file(part.beside(NOTES, ".json"), msgspec.json.encode(note))


def read_note(part: Part) -> Note:
    """Read the dialogue ids and plan facts that `write_note` stored beside a finished part."""
    return msgspec.json.decode(part.beside(NOTES, ".json").read_bytes(), type=Note)
