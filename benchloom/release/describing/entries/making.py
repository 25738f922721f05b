"""Making the entries of one file of shortcuts or of listings, in whichever process."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, Self

import msgspec

from benchloom.release.describing.entries.packed import (
    MadeEntry,
    MadeListing,
    MadeShortcut,
    Packed,
    Packing,
    read_packed,
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
    before: Sequence[Path] = (),
) -> None:
    """Make what is shown of the shortcuts of a file, and write it.

    Where there are listings a shortcut that was shared is most likely listed: its own entry is not
    searched before it is shown. In the files `before` lies what was made of other files: rows that
    stood in them stay as they were made.

    Raises:
        OSError: it cannot be written.
    """
    packing = Packing()
    records: list[MadeShortcut] = []
    told: dict[str, str] = {}
    known = _Known.of(before, names, is_searched=is_searched)
    for shown in shown_shortcuts(file, names, known.rows):
        if isinstance(shown, KnownShortcut):
            one, pieces = known.rows[shown.digest]
            packing.pieces.append(pieces)
            records.append(msgspec.structs.replace(one, row=shown.row))
            continue
        steps, count = steps_of(shown.made.length, shown.steps)
        entry = None
        if shown.entry is not None:
            is_likely = is_searched and not (has_listings and shown.icloud_ids)
            entry = _added(packing, shown.entry, steps, count, is_searched=is_likely)
        packing.pieces.append(steps)
        told.update(shown.names)
        digest = hashlib.blake2b(msgspec.msgpack.encode(shown.made), digest_size=_DIGEST_BYTES)
        digest.update(steps)
        records.append(
            MadeShortcut(
                shown.row,
                shown.digest,
                shown.icloud_ids,
                shown.made,
                digest.digest(),
                len(steps),
                count,
                entry,
            )
        )
    packing.write(path, Packed({**known.names, **told}, is_searched, records))


class _Known(NamedTuple):
    """Shortcuts that were made of other files, with their pieces, and the names of their apps."""

    rows: dict[bytes, tuple[MadeShortcut, bytes]]
    names: dict[str, str]

    @classmethod
    def of(cls, before: Sequence[Path], names: Mapping[str, str], *, is_searched: bool) -> Self:
        """What is sound of what lies in some files."""
        known = cls({}, {})
        for path in before:
            found = sound_shortcuts(path, names, is_searched=is_searched)
            if found is None:
                continue
            packed, content = found
            known.names.update(packed.names)
            start = 0
            for one in packed.records:
                known.rows[one.told] = one, content[start : start + one.size]
                start += one.size
        return known


def sound_shortcuts(
    path: Path, names: Mapping[str, str], *, is_searched: bool
) -> tuple[Packed[MadeShortcut], bytes] | None:
    """What was made of a file of shortcuts; None where it has to be made again."""
    found = read_packed(path, Packed[MadeShortcut])
    if found is None or found[0].is_searched < is_searched:
        return None
    if any(names.get(app, app) != name for app, name in found[0].names.items()):
        return None
    return found


def make_listings(
    file: TableFile,
    path: Path,
    behind: Behind,
    *,
    is_searched: bool,
    before: Sequence[Path] = (),
) -> None:
    """Make the entries of the listings of a file, and write them, unless they are there already.

    Of what was made before, and of what the files `before` hold of other files, all is kept that
    is told alike and took the same of its shortcut.

    Raises:
        OSError: they cannot be written.
    """
    kept = _KeptListings(behind)
    if kept.take(path, is_searched=is_searched) and kept.all_fit():
        return
    for other in before:
        kept.take(other, is_searched=is_searched)
    packing = Packing()
    made: list[MadeListing] = []
    for listing in read_listings(file, kept.fits):
        if listing.is_known:
            record, pieces = kept.found[listing.told]
            made.append(record)
            packing.pieces.append(pieces)
            continue
        now = behind.known(listing.icloud_id)
        entry = None
        if now is not None and listing.row is not None:
            told = listed_entry(listing.row, now.made)
            entry = _added(packing, told, now.steps, now.counted, is_searched=is_searched)
        digest = None if now is None else now.digest
        made.append(MadeListing(listing.told, listing.icloud_id, digest, entry))
    packing.write(path, Packed({}, is_searched, made))


class _KeptListings:
    """Entries of listings that were made before, by the digests of what they were made from."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind
        self.found: dict[bytes, tuple[MadeListing, bytes]] = {}

    def take(self, path: Path, *, is_searched: bool) -> bool:
        """Take what a file holds, if it is sound."""
        packed = read_packed(path, Packed[MadeListing])
        if packed is None or packed[0].is_searched < is_searched:
            return False
        start = 0
        for one in packed[0].records:
            end = start + (0 if one.entry is None else sum(one.entry.sizes))
            self.found[one.told] = one, packed[1][start:end]
            start = end
        return True

    def all_fit(self) -> bool:
        """Whether all of them took what their shortcuts tell now."""
        return all(self.fits(told, one.icloud_id) for told, (one, _) in self.found.items())

    def fits(self, told: bytes, icloud_id: str) -> bool:
        """Whether a listing was made that took what its shortcut tells now."""
        kept = self.found.get(told)
        return kept is not None and kept[0].digest == self._behind.digest(icloud_id)


def _added(
    packing: Packing, entry: Entry, steps: bytes, count: bytes, *, is_searched: bool
) -> MadeEntry:
    pieces: EntryPieces = pieces_of(entry, count)
    sound = are_sound(entry, pieces, steps) if is_searched else _NOT_SEARCHED
    return packing.add(entry, pieces, sound)
