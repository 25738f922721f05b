"""Withhold listings that were removed from their site, or whose owners opted out.

Opt-outs are in the configuration and apply to everything that was ever captured.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from benchloom.core.icloud_links import find_ids
from benchloom.core.records import Listing, Rejected

Reason = Literal["removed", "opted_out", "restored"]


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """A listing that disappeared from its site, or that reappeared (`restored`).

    `at` is the time in UTC and ISO 8601.
    """

    at: str
    site: str
    listing_id: str
    listing_url: str | None
    icloud_id: str | None
    reason: Reason


class Allowed(msgspec.Struct, frozen=True):
    """Listings that may be released, and listings and iCloud ids that must be withheld.

    `gone` are the withheld listings, and `rejected` has a row with the reason for each. `opted_ids`
    are the iCloud ids of opt-outs, and `gone_ids` are ids that only withheld listings name.
    """

    listings: tuple[Listing, ...]
    gone: tuple[Listing, ...]
    rejected: tuple[Rejected, ...]
    opted_ids: frozenset[str]
    gone_ids: frozenset[str]

    @property
    def icloud_ids(self) -> frozenset[str]:
        """All iCloud ids that no release may contain."""
        return self.opted_ids | self.gone_ids

    def only_listed(self, icloud_ids: Iterable[str]) -> "Allowed":
        """Return a copy that also withholds those of `icloud_ids` that no allowed listing names."""
        listed = {row.icloud_id for row in self.listings} | self.opted_ids
        unlisted = frozenset(icloud_id for icloud_id in icloud_ids if icloud_id not in listed)
        return msgspec.structs.replace(self, gone_ids=self.gone_ids | unlisted)


def withhold(
    rows: Iterable[Listing], stones: dict[str, Tombstone], opt_out: Iterable[str]
) -> Allowed:
    """Divide listings into those that may be released and those that must be withheld.

    `stones` maps a listing to its tombstone, the record that it was removed from its site.
    `opt_out` are the URLs and ids that owners do not want published.
    """
    entries = {entry.strip().rstrip("/") for entry in opt_out}
    out_ids = {i for entry in entries for i in (*find_ids(entry), entry.lower().replace("-", ""))}
    published_rows: list[Listing] = []
    gone: list[Listing] = []
    rejected: list[Rejected] = []
    for row in rows:
        reason = _reason(row, stones, entries, out_ids)
        if reason is None:
            published_rows.append(row)
            continue
        gone.append(row)
        rejected.append(
            Rejected("normalise", row.source_uri, reason, "withheld from releases", row.listing_id)
        )
    opted_ids = frozenset(icloud_id for icloud_id in out_ids if len(icloud_id) == 32)
    gone_ids = {row.icloud_id for row in gone if row.icloud_id is not None}
    still_listed = {row.icloud_id for row in published_rows}
    return Allowed(
        tuple(published_rows),
        tuple(gone),
        tuple(rejected),
        opted_ids,
        frozenset(gone_ids - still_listed - opted_ids),
    )


def _reason(
    row: Listing, stones: dict[str, Tombstone], entries: set[str], out_ids: set[str]
) -> str | None:
    if (row.listing_url or "").rstrip("/") in entries or row.icloud_id in out_ids:
        return "opted_out"
    stone = stones.get(row.listing_id)
    return stone.reason if stone is not None else None
