"""Store notes about each shard and about the dataset, which the end of a conversion reads."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.normalise.plans.statistics import PathFacts
from benchloom.storage.workspace import write_file
from flows.run.output import Part

SOURCE = "source.json"


class SourceNote(msgspec.Struct, frozen=True):
    """The title, address and licence of a dataset of dialogues, as its module states them."""

    name: str
    title: str
    licence: str
    address: str


def write_source(folder: Path, note: SourceNote) -> None:
    """Write the note about the dataset into the folder of a conversion."""
    write_file(folder / SOURCE, msgspec.json.format(msgspec.json.encode(note), indent=1))


def sources_table(folders: Sequence[Path]) -> str:
    """Return a Markdown table of the datasets from which conversions were made."""
    lines = ["| source | dataset | licence | address |", "|---|---|---|---|"]
    for folder in folders:
        note = msgspec.json.decode((folder / SOURCE).read_bytes(), type=SourceNote)
        lines.append(f"| {note.name} | {note.title} | {note.licence} | {note.address} |")
    return "\n".join(dict.fromkeys(lines)) + "\n"


NOTES = "notes"
LINES = "lines"


class Note(msgspec.Struct, frozen=True):
    """The ids of the dialogues in a shard and facts about their plans, in the order of the rows.

    An id consists of the folder, the dialogue id and the `source_uri`.
    """

    ids: list[tuple[str, str, str]]
    facts: list[PathFacts]


def lines_of(part: Part) -> Path:
    """Return the path of a shard's JSON Lines file, which exists for formats other than Parquet."""
    return part.beside(LINES, ".jsonl")


def write_note(part: Part, note: Note) -> None:
    """Store the dialogue ids and plan facts of a shard in a JSON file beside its tables."""
    write_file(part.beside(NOTES, ".json"), msgspec.json.encode(note))


def read_note(part: Part) -> Note:
    """Read the dialogue ids and plan facts that `write_note` stored for a finished shard."""
    return msgspec.json.decode(part.beside(NOTES, ".json").read_bytes(), type=Note)
