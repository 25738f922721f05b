"""Join iCloud ids, names and descriptions from sharing sites to shortcuts, by file digest.

A file that was merged into another file still counts: its iCloud ids go to the published row.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.core.identity import ALGORITHM, hex_of
from benchloom.core.records.shortcut import FILE_NAME
from benchloom.normalise.shortcuts import Key
from benchloom.storage.tables import iter_records, with_column


class Origin(msgspec.Struct, frozen=True):
    """The statements of sharing sites and iCloud about a shortcut.

    Names from iCloud count before names from listings, and of several names from one kind of
    source, the name with the smallest iCloud id counts. The description is from a listing.
    """

    icloud_ids: tuple[str, ...]
    name: str | None
    name_source: str | None
    description: str | None


class _Record(msgspec.Struct, frozen=True, gc=False):
    icloud_id: str
    name: str | None
    source_digest: str | None


class _Listing(msgspec.Struct, frozen=True, gc=False):
    icloud_id: str | None
    link_capture: str | None
    name: str | None
    tagline: str | None
    description: str | None


class _Answer(msgspec.Struct, frozen=True, gc=False):
    capture_id: str
    body_digest: str


def _owner_of(shortcut_id: str, source_digest: str, *, empty: bool) -> str:
    # Shortcuts without actions share an id; their files distinguish them.
    return source_digest if empty else shortcut_id


def read_origins(folder: Path, keys: Iterable[Key]) -> dict[str, Origin]:
    """Read the iCloud ids, names and descriptions of shortcuts from the tables in `folder`.

    The tables are `icloud_records`, `listings` and `captures`. The keys of the result are shortcut
    ids. For shortcuts without actions, which all have the same id, the keys are digests of their
    files.
    """
    by_digest: defaultdict[str, list[_Record]] = defaultdict(list)
    for record in iter_records(folder, "icloud_records", _Record, 4096):
        if record.source_digest is not None:
            by_digest[record.source_digest].append(record)
    listings = list(iter_records(folder, "listings", _Listing, 4096))
    direct = _direct_listings(folder, listings)
    records: defaultdict[str, dict[str, _Record]] = defaultdict(dict)
    without_link: defaultdict[str, list[_Listing]] = defaultdict(list)
    for key in keys:
        owner = _owner_of(key.shortcut_id, key.source_digest, empty=key.empty)
        records[owner].update((r.icloud_id, r) for r in by_digest.get(key.source_digest, ()))
        without_link[owner] += direct.get(key.source_digest, ())
    listed = _texts_of_listings(listings)
    return {
        owner: _origin(owner_records, listed, without_link[owner])
        for owner, owner_records in records.items()
        if owner_records or without_link[owner]
    }


def _direct_listings(folder: Path, listings: Iterable[_Listing]) -> dict[str, list[_Listing]]:
    # These sites provide the file themselves, without iCloud.
    files: dict[str, list[_Listing]] = {}
    for listing in listings:
        if listing.icloud_id is None and listing.link_capture is not None:
            files.setdefault(listing.link_capture, []).append(listing)
    listings_by_digest: dict[str, list[_Listing]] = {}
    if files:
        for capture in iter_records(folder, "captures", _Answer, 4096):
            if capture.capture_id in files:
                listings_by_digest[f"file:{ALGORITHM}:{hex_of(capture.body_digest)}"] = files[
                    capture.capture_id
                ]
    return listings_by_digest


def _texts_of_listings(listings: Iterable[_Listing]) -> dict[str, tuple[str | None, str | None]]:
    # Listings are in order of site and page; the first one with a value counts.
    texts_by_id: dict[str, tuple[str | None, str | None]] = {}
    for listing in listings:
        if listing.icloud_id is None:
            continue
        name, text = texts_by_id.get(listing.icloud_id, (None, None))
        texts_by_id[listing.icloud_id] = (name or listing.name, text or _description(listing))
    return texts_by_id


def _description(listing: _Listing) -> str | None:
    return listing.description or listing.tagline


def _origin(
    records: dict[str, _Record],
    listed: dict[str, tuple[str | None, str | None]],
    direct: Iterable[_Listing],
) -> Origin:
    ids = tuple(sorted(records))
    listing_texts = [listed.get(key, (None, None)) for key in ids]
    listing_texts += [(listing.name, _description(listing)) for listing in direct]
    names = [(records[key].name, "icloud") for key in ids]
    names += [(name, "listing") for name, _ in listing_texts]
    name, name_source = next((candidate for candidate in names if candidate[0]), (None, None))
    return Origin(ids, name, name_source, next((text for _, text in listing_texts if text), None))


def owners_of(rows: pa.Table) -> list[str]:
    """Return, for each row, its shortcut id, or its file's digest if it has no actions.

    These are the keys in the result of `read_origins`. All shortcuts without actions have the same
    id.
    """
    columns = ("shortcut_id", "source_digest", "action_count")
    identities = zip(*(rows.column(name).to_pylist() for name in columns), strict=True)
    return [
        _owner_of(shortcut_id, digest, empty=not count) for shortcut_id, digest, count in identities
    ]


def attach_origins(rows: pa.Table, origins: Mapping[str, Origin]) -> pa.Table:
    """Add iCloud ids to rows, and add names and descriptions that the shortcut files lack."""
    row_origins = [origins.get(owner) for owner in owners_of(rows)]
    rows = with_column(rows, "icloud_ids", [list(o.icloud_ids) if o else [] for o in row_origins])
    columns = ("name", "name_source", "description")
    entries = zip(*(rows.column(c).to_pylist() for c in columns), row_origins, strict=True)
    chosen = [_with_origin(*entry) for entry in entries]
    for position, column in enumerate(columns):
        rows = with_column(rows, column, [values[position] for values in chosen])
    return rows


def _with_origin(
    name: str | None, source: str | None, description: str | None, origin: Origin | None
) -> tuple[str | None, str | None, str | None]:
    if origin is None:
        return name, source, description
    if origin.name and (not name or source == FILE_NAME):
        name, source = origin.name, origin.name_source
    return name, source, description or origin.description
