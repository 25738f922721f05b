"""This module stores which files of a copy have been fetched, so that a killed run can continue.

A record has a line with a checksum for each file. The line is added when the file is in place. A
line that is damaged, or that a kill has cut, is ignored, and its file is fetched again.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from benchloom.storage.workspace import TemporaryFile


class MirroredFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fetched file.

    `name` is the path of the file in the copy. `said` is what the server reported about the version
    of the file, or "" if it reports nothing that changes with the content. `seal` is the checksum
    of the line in the record.
    """

    name: str
    said: str
    bytes: int
    sha256: str
    seal: str = ""


class Record:
    """The record of the fetched files of a copy, which is stored in the file `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, MirroredFile]:
        """Return a mapping from names to fetched files; the last line about a name counts."""
        record_by_name: dict[str, MirroredFile] = {}
        try:
            with self._path.open("rb") as file:
                for line in file:
                    if (file_record := _read(line)) is not None:
                        record_by_name[file_record.name] = file_record
        except FileNotFoundError:
            pass
        return record_by_name

    def add(self, mirrored: MirroredFile) -> None:
        """Append a line for a file that is completely fetched."""
        with self._path.open("a+b") as file:
            # A line that a kill has cut would make the appended line unreadable, too.
            if file.tell() and file.seek(-1, 2) >= 0 and file.read(1) != b"\n":
                file.write(b"\n")
            file.write(_line(mirrored))

    def write(self, file_records: Iterable[MirroredFile]) -> None:
        """Replace the record by lines for these files."""
        temporary = TemporaryFile(self._path)
        try:
            with temporary.path.open("wb") as file:
                for file_record in file_records:
                    file.write(_line(file_record))
            temporary.commit()
        except OSError:
            temporary.discard()
            raise


def _line(file_record: MirroredFile) -> bytes:
    unsealed = msgspec.structs.replace(file_record, seal="")
    seal = hashlib.sha256(msgspec.json.encode(unsealed)).hexdigest()
    return msgspec.json.encode(msgspec.structs.replace(file_record, seal=seal)) + b"\n"


def _read(line: bytes) -> MirroredFile | None:
    try:
        file_record = msgspec.json.decode(line, type=MirroredFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return file_record if _line(file_record) == line else None
