"""A dataset of dialogues in SGD's words, one dialogue on each line."""

from collections.abc import Iterator

from parsers.dialogues.conversion.source import SgdFormatSource
from parsers.dialogues.conversion.telling import Folder, Tell, Told, recorded_or_rebuilt


def by_line(folder: Folder) -> Tell:
    """The dialogues of a file, which is no list."""
    tell = recorded_or_rebuilt(folder)

    def told(data: bytes) -> Iterator[Told]:
        yield from tell(b"[" + b",".join(data.splitlines()) + b"]")

    return told


SOURCE = SgdFormatSource(
    name="parlour",
    title="Talks of the parlour",
    address="https://example.org/parlour",
    licence="CC0-1.0",
    redistributable=True,
    modes=("flow",),
    telling=by_line,
)
