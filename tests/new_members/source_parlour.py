"""A dataset of dialogues in SGD's words, one dialogue on each line."""

from collections.abc import Iterator

from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.source import SgdFormatSource
from parsers.dialogues.conversion.telling import Folder, Tell, Told, recorded_or_rebuilt
from parsers.dialogues.conversion.words import said_in
from parsers.dialogues.material import Said


def by_line(folder: Folder) -> Tell:
    """The dialogues of a file, which is no list."""
    tell = recorded_or_rebuilt(folder)

    def told(data: bytes) -> Iterator[Told]:
        yield from tell(b"[" + b",".join(data.splitlines()) + b"]")

    return told


def said(data: bytes, mode: Mode) -> Iterator[Said]:
    """What users said, in files of the same kind."""
    return said_in(b"[" + b",".join(data.splitlines()) + b"]", mode)


SOURCE = SgdFormatSource(
    name="parlour",
    title="Talks of the parlour",
    address="https://example.org/parlour",
    licence="CC0-1.0",
    redistributable=True,
    modes=("flow",),
    telling=by_line,
    words=said,
)
