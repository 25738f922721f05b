"""The format of shortcut files: each row as the property list that an editor would have written.

Files are unsigned binary property lists, because XML cannot store every text. Each split has a
folder of files and an index, such as `train.jsonl` (`data.jsonl` if there are no splits). A line of
the index contains the name of a file and one request for its shortcut.
"""

import plistlib
import re
import unicodedata
from collections import Counter
from pathlib import Path

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import Shortcut
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats._shortcut_file import LOSSES, UnwritableError, root_of
from benchloom.exchange.formats.base import (
    ExampleWriter,
    LineFiles,
    Writing,
    WritingOptions,
    file_stem,
)

FOLDER = "shortcuts"
_UNSAFE = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 40
_DIGITS = 16
_ENCODER = msgspec.json.Encoder()


class Line(msgspec.Struct, frozen=True):
    """A line of the index, which names a shortcut file and a request for the shortcut."""

    id: str
    file: str
    request: str | None
    shortcut_id: str
    canonical_digest: str
    source_uri: str
    name: str | None
    split: str | None
    not_held: dict[str, int]  # parts of the row that the file cannot store, by kind


def written_file(row: Shortcut) -> tuple[bytes, tuple[Loss, ...]]:
    """Convert a row to the bytes of a shortcut file, and return what the file cannot store.

    Raises UnwritableError if a value is not JSON, or is nested too deeply.
    """
    root, losses = root_of(row)
    return plistlib.dumps(root, fmt=plistlib.FMT_BINARY, sort_keys=True), losses


def file_name(row: Shortcut) -> str:
    """Return a unique file name for a row, with the shortcut's name in ASCII and a digest."""
    plain = unicodedata.normalize("NFKD", row.name or "").encode("ascii", "ignore").decode()
    stem = _UNSAFE.sub("-", plain.lower())[:_LONGEST_NAME].strip("-")
    key = digest_of_parts("row", (row.shortcut_id, row.source_digest, row.source_uri))
    return "-".join(filter(None, (stem, hex_of(key)[:_DIGITS]))) + ".shortcut"


class ShortcutWriter(ExampleWriter):
    """Writes each shortcut to a file, and for each split an index of the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._indexes = LineFiles(folder)
        self._last: tuple[str, tuple[Loss, ...]] = "", ()

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write the shortcut of an example and a line of the index.

        The file is not written again if the previous example had the same shortcut.
        """
        row = example.shortcut
        if row is None:
            return (Loss("no_row", whole=True),)
        stem = file_stem(example)
        name = f"{FOLDER}/{stem}/{self.name_of(row)}"
        if self._last[0] != name:
            self._last = name, self._write(row, name)
        losses = self._last[1]
        if not any(loss.whole for loss in losses):
            counts = Counter(loss.kind for loss in losses)
            line = Line(
                example.example_id,
                name,
                example.request,
                row.shortcut_id,
                row.canonical_digest,
                row.source_uri,
                row.name,
                row.split,
                dict(sorted(counts.items())),
            )
            self._indexes.write(f"{stem}.jsonl", _ENCODER.encode(line))
        return losses

    def name_of(self, row: Shortcut) -> str:
        """Return the file name for a row."""
        return file_name(row)

    def content_of(self, row: Shortcut) -> tuple[bytes, tuple[Loss, ...]]:
        """Return the content of the file for a row, and the parts of the row that it cannot store.

        Raises UnwritableError if a value is not JSON, or is nested too deeply.
        """
        return written_file(row)

    def _write(self, row: Shortcut, name: str) -> tuple[Loss, ...]:
        try:
            content, losses = self.content_of(row)
        except UnwritableError as error:
            return (error.loss,)
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
        return losses

    def close(self) -> None:
        """Close the indexes."""
        self._indexes.close()


class _ShortcutFiles(Writing):
    title = "Shortcut files (binary property lists) with an index per split"
    tables = frozenset({"shortcuts"})
    losses = LOSSES

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return ShortcutWriter(folder)


FORMAT = _ShortcutFiles()
