"""A dataset of dialogues in SGD's format, with one dialogue on each line."""

from collections.abc import Iterable

from parsers.dialogues.conversion.readers import (
    FileReading,
    Folder,
    ReadDialogue,
    Reader,
    recorded_or_rebuilt,
)
from parsers.dialogues.sources import DialogueSource


def by_line(folder: Folder) -> Reader:
    """Return a reader of files with one dialogue per line instead of a list."""
    read_list = recorded_or_rebuilt(folder)

    def read(data: bytes) -> Iterable[ReadDialogue]:
        return read_list(b"[" + b",".join(data.splitlines()) + b"]")

    return read


SOURCE = DialogueSource(
    name="parlour",
    title="Talks of the parlour",
    address="https://example.org/parlour",
    licence="CC0-1.0",
    redistributable=True,
    modes=("flow",),
    reading=lambda: FileReading(reader=by_line),
)
