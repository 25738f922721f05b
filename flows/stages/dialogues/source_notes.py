"""A note on the source dataset of a conversion, for readers of the release."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.storage.workspace import write_file

SOURCE = "source.json"


class SourceNote(msgspec.Struct, frozen=True):
    """The dataset of a conversion, as its source module describes it."""

    name: str
    title: str
    licence: str
    address: str


def write_source(folder: Path, note: SourceNote) -> None:
    """Write the note beside the tables of a conversion."""
    write_file(folder / SOURCE, msgspec.json.format(msgspec.json.encode(note), indent=1))


def sources_table(folders: Sequence[Path]) -> str:
    """The datasets of some conversions as a Markdown table."""
    lines = ["| source | dataset | licence | address |", "|---|---|---|---|"]
    for folder in folders:
        note = msgspec.json.decode((folder / SOURCE).read_bytes(), type=SourceNote)
        lines.append(f"| {note.name} | {note.title} | {note.licence} | {note.address} |")
    return "\n".join(dict.fromkeys(lines)) + "\n"
