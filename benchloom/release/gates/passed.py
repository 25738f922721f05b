"""Cache of checks without findings, so that unchanged files are not checked again.

The key is the code of the check and the digests of everything else that determines its findings.
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
    """Return the cache key of a check, unambiguous because it covers each part's length."""
    return digest_of(b"look", *parts)


def unless_passed(digest: bytes, look: Look) -> Iterator[str]:
    """Yield the findings of a check, nothing if it is cached as having none.

    A check with findings is never cached, nor one that an error or its caller stopped.
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
    """A part of a gate that depends only on `name`, `told` and all files of some tables."""

    name: str
    tables: tuple[str, ...]
    part: Part
    told: tuple[str, ...] = ()

    def __call__(self, release: GateView) -> Iterator[str]:
        """Yield the findings of the part, unless it is cached as having none."""
        digest = look_digest(self.name, *self.told, *file_keys(release, self.tables))
        yield from unless_passed(digest, lambda: self.part(release))


def file_keys(release: GateView, tables: Iterable[str]) -> Iterator[str]:
    """Yield the definition digests of some tables, and the paths and digests of their files."""
    for table in tables:
        yield definition_digest(table)
        yield from (part for file in release.files_of(table) for part in (file.path, file.sha256))


def file_key(file: ReleaseFile) -> tuple[str, ...]:
    """Return the key parts of a table file: set, definition and manifest entry, not its number."""
    named = set_file(file.path.rpartition("/")[2])
    set_name = file.path if named is None else named.file_set.stem
    return (set_name, file.sha256, str(file.rows), definition_digest(file.table or ""))


def piece_key(release: GateView, piece: Piece) -> tuple[str, ...]:
    """Return the key parts of a piece: its rows (not its path) and its table's definition."""
    groups = f"{piece.groups[0]}-{piece.groups[-1]}" if piece.groups else ""
    return (piece.table, release.sha256_of(piece.place), groups, definition_digest(piece.table))


@cache
def definition_digest(table: str) -> str:
    """The digest of the definition of a table."""
    content = msgspec.json.encode(load_table(table))
    return hashlib.blake2b(content, digest_size=KEY_BYTES).hexdigest()
