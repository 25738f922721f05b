"""Making the entries of one file of shortcuts or of listings, in whichever process."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, Self

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
    file: TableFile, path: Path, known: Callable[[str], Known | None], *, is_searched: bool
) -> None:
    """Make the entries of the listings of a file, and write them, unless they are there already.

    Of what was made before all is kept that took the same of its shortcut. `known` gives what is
    known of the shortcut behind an iCloud id.

    Raises:
        OSError: they cannot be written.
    """
    before = read_packed(path, Packed[MadeListing])
    if before is not None and before[0].is_searched >= is_searched:
        records, pieces = before[0].records, before[1]
        found = [known(one.icloud_id) for one in records]
        if all(_fits(one, now) for one, now in zip(records, found, strict=True)):
            return
    else:
        records, pieces = [], b""
    packing = Packing()
    made: list[MadeListing] = []
    places = [*accumulate((_size(one.entry) for one in records), initial=0)]
    for number, listing in enumerate(read_listings(file)):
        now = known(listing.icloud_id)
        if number < len(records) and _fits(records[number], now):
            made.append(records[number])
            packing.pieces.append(pieces[places[number] : places[number + 1]])
            continue
        entry = None
        if now is not None and listing.row is not None:
            told = listed_entry(listing.row, now.made)
            entry = _added(packing, told, now.steps, now.counted, is_searched=is_searched)
        made.append(MadeListing(listing.icloud_id, None if now is None else now.digest, entry))
    packing.write(path, Packed({}, is_searched, made))


def _fits(record: MadeListing, now: Known | None) -> bool:
    return record.digest == (None if now is None else now.digest)


def _size(entry: MadeEntry | None) -> int:
    return 0 if entry is None else sum(entry.sizes)


def _added(
    packing: Packing, entry: Entry, steps: bytes, count: bytes, *, is_searched: bool
) -> MadeEntry:
    pieces: EntryPieces = pieces_of(entry, count)
    sound = are_sound(entry, pieces, steps) if is_searched else _NOT_SEARCHED
    return packing.add(entry, pieces, sound)
