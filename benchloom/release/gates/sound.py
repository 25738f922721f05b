"""What a look at some files found nothing in is not looked at again, where that is remembered.

A look is told by whoever looks and by all that decides what it finds beside our code: digests of
the files, of the definitions of their tables, of whatever they are held against.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from benchloom.release.gates.view import GateView, Part, Piece
from benchloom.release.manifest import ReleaseFile
from benchloom.storage.memory import KEY_BYTES, knows, note
from benchloom.storage.memory import digest as digest_of
from benchloom.storage.tables import load_table, set_file

Look = Callable[[], Iterator[str]]


def look_digest(*parts: str) -> bytes:
    """The digest of a look by what tells it, each with its length: no two lists are told alike."""
    return digest_of(b"look", *parts)


def unless_sound(digest: bytes, look: Look) -> Iterator[str]:
    """What a look finds; nothing where it is known to find nothing.

    What it finds is never remembered, nor a look that a fault or whoever asks has ended.
    """
    if knows(digest):
        return
    sound = True
    for finding in look():
        sound = False
        yield finding
    if sound:
        note(digest)


class TablesPart(msgspec.Struct, frozen=True):
    """A part of a gate that depends on all files of some tables, and on nothing else it is told.

    `name` and `told` tell it from others.
    """

    name: str
    tables: tuple[str, ...]
    part: Part
    told: tuple[str, ...] = ()

    def __call__(self, release: GateView) -> Iterator[str]:
        """What the part finds, where it is not known to find nothing."""
        digest = look_digest(self.name, *self.told, *files_told(release, self.tables))
        yield from unless_sound(digest, lambda: self.part(release))


def files_told(release: GateView, tables: Iterable[str]) -> Iterator[str]:
    """The definitions of some tables, and their files."""
    for table in tables:
        yield definition_digest(table)
        yield from (part for file in release.files_of(table) for part in (file.path, file.sha256))


def file_told(file: ReleaseFile) -> tuple[str, ...]:
    """A file of a table, its set and definition, and what the manifest says of it.

    Its number is left out: one file more renames all others of the set.
    """
    named = set_file(file.path.rpartition("/")[2])
    set_name = file.path if named is None else named.file_set.stem
    return (set_name, file.sha256, str(file.rows), definition_digest(file.table or ""))


def piece_told(release: GateView, piece: Piece) -> tuple[str, ...]:
    """The rows of a piece, wherever its file lies, and the definition of its table."""
    groups = f"{piece.groups[0]}-{piece.groups[-1]}" if piece.groups else ""
    return (piece.table, release.sha256_of(piece.place), groups, definition_digest(piece.table))


@cache
def definition_digest(table: str) -> str:
    """The digest of the definition of a table."""
    content = msgspec.json.encode(load_table(table))
    return hashlib.blake2b(content, digest_size=KEY_BYTES).hexdigest()
