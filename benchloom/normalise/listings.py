"""Merge all rows about an entry of a sharing site into one row. Dropped rows get a reason.

Rows of other sites about the same shortcut are not merged; they share the `icloud_id`.
"""

from collections.abc import Callable, Iterable

import msgspec

from benchloom.core.records import Listing, Rejected
from benchloom.core.structs import HeldOnce

_IN_COMMON = (
    "site",
    "page_kind",
    "state",
    "category",
    "categories",
    "version",
    "system_version",
    "updated",
    "author_credit",
    "capture",
    "source_uri",
)
_RANK = {"detail": 0, "entry": 0, "error": 1, "card": 2}


class MergedListings(msgspec.Struct, frozen=True):
    """The merged listings, and the rejected rows: duplicates, error pages and pages for members."""

    listings: tuple[Listing, ...]
    rejected: tuple[Rejected, ...]


def _unchanged(row: Listing) -> Listing:
    return row


class ListingMerger:
    """Merges rows about the same entry of a site: detail pages rank above cards.

    The categories of all rows are combined.
    """

    def __init__(self) -> None:
        self._groups: dict[str, _Group] = {}
        self._shared: HeldOnce[Listing] = HeldOnce(*_IN_COMMON)

    def __contains__(self, listing_id: str) -> bool:
        """Return whether a row about this listing was added."""
        return listing_id in self._groups

    def add(self, row: Listing) -> None:
        """Add a row. `merged` combines it with all other rows of the same listing."""
        row = self._shared(row)
        group = self._groups.get(row.listing_id)
        if group is None:
            self._groups[row.listing_id] = _Group(row)
        else:
            group.add(row)

    def merged(
        self,
        add_details: Callable[[Listing], Listing] = _unchanged,
        *,
        include_member_only: bool = False,
    ) -> MergedListings:
        """Return the best row about each entry, in order of first appearance, and reset the merger.

        `add_details` first adds details from other pages to each row. Error pages are rejected, and
        so are entries for members only, unless `include_member_only` is true.
        """
        rows: list[Listing] = []
        rejected: list[Rejected] = []
        for listing_id in list(self._groups):
            group = self._groups.pop(listing_id)
            row = add_details(group.row())
            reason = _reason(row, include_member_only=include_member_only)
            if reason is not None:
                rejected.append(_rejection(row.source_uri, *reason, listing_id))
            else:
                rows.append(row)
            rejected += [
                _rejection(
                    source_uri, "duplicate_listing", "another row says as much or more", listing_id
                )
                for source_uri in group.others
            ]
        return MergedListings(tuple(rows), tuple(rejected))


class _Group:
    __slots__ = ("_all", "_best", "_equals", "others")

    def __init__(self, row: Listing) -> None:
        self._best = row
        self._equals = self._all = _join((), row.categories)
        self.others: list[str] = []

    def add(self, row: Listing) -> None:
        rank, best = _RANK[row.page_kind], _RANK[self._best.page_kind]
        self._all = _join(self._all, row.categories)
        if rank < best:
            self.others.append(self._best.source_uri)
            self._best, self._equals = row, _join((), row.categories)
            return
        self.others.append(row.source_uri)
        if rank == best:
            self._equals = _join(self._equals, row.categories)

    def row(self) -> Listing:
        # Categories of cards count only if no better row has any.
        names = self._equals or self._all
        if names == self._best.categories:
            return self._best
        return msgspec.structs.replace(self._best, categories=names, category=names[0])


def merge_listings(rows: Iterable[Listing], *, include_member_only: bool = False) -> MergedListings:
    """Merge all rows about the same entry of a site, by the rules of `ListingMerger`."""
    merger = ListingMerger()
    for row in rows:
        merger.add(row)
    return merger.merged(include_member_only=include_member_only)


def _join(names: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return names if not more or more == names else tuple(dict.fromkeys((*names, *more)))


def _reason(row: Listing, *, include_member_only: bool) -> tuple[str, str] | None:
    if row.page_kind == "error":
        return row.state, "the site shows an error page instead of the entry"
    if row.member_only and not include_member_only:
        return "member_only", "not known to be shown to everybody"
    return None


def _rejection(source_uri: str, reason: str, message: str, digest: str) -> Rejected:
    return Rejected("normalise", source_uri, reason, message, digest)
