"""Making the entries of one file of shortcuts or of listings, in whichever process.

What was made of a row for an earlier release is remembered by the digest of the row.
"""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from benchloom.memory import digest as digest_of
from benchloom.memory import memory
from benchloom.release.describing.entries.packed import (
    MadeEntry,
    MadeListing,
    MadeShortcut,
    Packed,
    Packing,
)
from benchloom.release.describing.entries.pieces import (
    EntryPieces,
    are_sound,
    pieces_of,
    steps_of,
)
from benchloom.release.describing.entries.records import (
    Entry,
    KnownShortcut,
    Made,
    listed_entry,
    read_listings,
    shown_shortcuts,
)
from benchloom.release.describing.tables import TableFile

SHORTCUTS, LISTINGS = ".shortcuts", ".listings"
"""How the files of what was made of a table end."""
R = TypeVar("R")
_DIGEST_BYTES = 16
_NOT_SEARCHED = (False, False)


class Known(NamedTuple):
    """What is known of the shortcut behind a listing: `steps` as they are written."""

    digest: bytes
    made: Made
    steps: bytes
    counted: bytes


class Behind(Protocol):
    """The shortcuts behind listings, by their iCloud ids."""

    def digest(self, icloud_id: str, /) -> bytes | None:
        """What tells all that a listing takes of its shortcut, None where there is none."""

    def known(self, icloud_id: str, /) -> Known | None:
        """What is known of the shortcut."""


def make_shortcuts(
    file: TableFile,
    path: Path,
    names: Mapping[str, str],
    *,
    is_searched: bool,
    has_listings: bool = False,
) -> None:
    """Make what is shown of the shortcuts of a file, and write it.

    Where there are listings a shortcut that was shared is most likely listed: its own entry is not
    searched before it is shown.

    Raises:
        OSError: it cannot be written.
    """
    packing = Packing()
    records: list[MadeShortcut] = []
    kind = _Remembered[MadeShortcut]
    made_before: dict[bytes, _Remembered[MadeShortcut]] = {}

    def is_known(digest: bytes) -> bool:
        """Whether a row was made before, with the same names of apps."""
        found = _recalled(_key(SHORTCUTS, digest, is_searched=is_searched), kind)
        if found is None or any(names.get(app, app) != name for app, name in found.names.items()):
            return False
        made_before[digest] = found
        return True

    for shown in shown_shortcuts(file, names, is_known):
        if isinstance(shown, KnownShortcut):
            before = made_before.pop(shown.digest)
            packing.pieces.append(before.pieces)
            records.append(msgspec.structs.replace(before.record, row=shown.row))
            continue
        start = len(packing.pieces)
        steps, count = steps_of(shown.made.length, shown.steps)
        entry = None
        if shown.entry is not None:
            is_likely = is_searched and not (has_listings and shown.icloud_ids)
            entry = _added(packing, shown.entry, steps, count, is_searched=is_likely)
        packing.pieces.append(steps)
        digest = hashlib.blake2b(msgspec.msgpack.encode(shown.made), digest_size=_DIGEST_BYTES)
        digest.update(steps)
        record = MadeShortcut(
            shown.row,
            shown.digest,
            shown.icloud_ids,
            shown.made,
            digest.digest(),
            len(steps),
            count,
            entry,
        )
        records.append(record)
        key = _key(SHORTCUTS, shown.digest, is_searched=is_searched)
        _remember(key, _Remembered(record, dict(shown.names), b"".join(packing.pieces[start:])))
    packing.write(path, Packed(records))


class _Remembered(msgspec.Struct, Generic[R], frozen=True, array_like=True):
    """What was made of a row: its record, the names of apps in it, and its pieces."""

    record: R
    names: dict[str, str]
    pieces: bytes


def _key(kind: str, *told: bytes, is_searched: bool) -> bytes:
    return digest_of("entry", kind, b"searched" if is_searched else b"", *told)


def _recalled(key: bytes, kind: type[_Remembered[R]]) -> _Remembered[R] | None:
    known = memory()
    content = None if known is None else known.get(key)
    if content is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(content, type=kind)
    return None


def _remember(key: bytes, made: _Remembered[R]) -> None:
    known = memory()
    if known is not None:
        known.put(key, msgspec.msgpack.encode(made))


def make_listings(
    file: TableFile,
    path: Path,
    behind: Behind,
    *,
    is_searched: bool,
) -> None:
    """Make the entries of the listings of a file, and write them.

    A listing that was made before stays as it was made if it took the same of its shortcut.

    Raises:
        OSError: they cannot be written.
    """
    made_before: dict[bytes, _Remembered[MadeListing]] = {}

    def key_of(told: bytes, icloud_id: str) -> bytes:
        behind_it = behind.digest(icloud_id)
        return _key(LISTINGS, told, behind_it or b"", is_searched=is_searched)

    def is_known(told: bytes, icloud_id: str) -> bool:
        found = _recalled(key_of(told, icloud_id), _Remembered[MadeListing])
        if found is not None:
            made_before[told] = found
        return found is not None

    packing = Packing()
    records: list[MadeListing] = []
    for listing in read_listings(file, is_known):
        if listing.is_known:
            before = made_before[listing.told]
            records.append(before.record)
            packing.pieces.append(before.pieces)
            continue
        start = len(packing.pieces)
        now = behind.known(listing.icloud_id)
        entry = None
        if now is not None and listing.row is not None:
            told = listed_entry(listing.row, now.made)
            entry = _added(packing, told, now.steps, now.counted, is_searched=is_searched)
        record = MadeListing(
            listing.told, listing.icloud_id, None if now is None else now.digest, entry
        )
        records.append(record)
        pieces = b"".join(packing.pieces[start:])
        _remember(key_of(listing.told, listing.icloud_id), _Remembered(record, {}, pieces))
    packing.write(path, Packed(records))


def _added(
    packing: Packing, entry: Entry, steps: bytes, count: bytes, *, is_searched: bool
) -> MadeEntry:
    pieces: EntryPieces = pieces_of(entry, count)
    sound = are_sound(entry, pieces, steps) if is_searched else _NOT_SEARCHED
    return packing.add(entry, pieces, sound)
