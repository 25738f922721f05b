"""One row per entry of a site out of all rows about it; everything else with its reason.

Rows of other sites about the same shortcut are kept: they share `icloud_id`.
"""

from collections.abc import Iterable

import msgspec

from benchloom.records import Listing, Rejected

_RANK = {"detail": 0, "entry": 0, "error": 1, "card": 2}


class MergedListings(msgspec.Struct, frozen=True):
    """Rows that stay, and rows that do not: merged, error pages, member-only."""

    kept: tuple[Listing, ...]
    rejected: tuple[Rejected, ...]


def merge_listings(rows: Iterable[Listing], *, include_member_only: bool = False) -> MergedListings:
    """Keep the row that says most about each entry, in order of first appearance.

    A page about an entry goes before a teaser; rows of the same rank add their categories.
    Entries whose page is an error page, and entries for members, are left out.
    """
    groups: dict[str, list[Listing]] = {}
    for row in rows:
        groups.setdefault(row.listing_id, []).append(row)
    kept: list[Listing] = []
    rejected: list[Rejected] = []
    for group in groups.values():
        best = min(group, key=lambda row: _RANK[row.page_kind])
        reason = _reason(best, include_member_only=include_member_only)
        if reason is not None:
            rejected.append(_rejection(best, *reason, best.listing_id))
        else:
            kept.append(_with_categories(best, group))
        rejected += [
            _rejection(
                row, "duplicate_listing", "another row says as much or more", best.listing_id
            )
            for row in group
            if row is not best
        ]
    return MergedListings(tuple(kept), tuple(rejected))


def _reason(row: Listing, *, include_member_only: bool) -> tuple[str, str] | None:
    if row.page_kind == "error":
        return row.state, "the site shows an error page instead of the entry"
    if row.member_only and not include_member_only:
        return "member_only", "not known to be shown to everybody"
    return None


def _with_categories(best: Listing, group: list[Listing]) -> Listing:
    """The row with the categories of its equals, or of teasers where it has none."""
    equals = [row for row in group if _RANK[row.page_kind] == _RANK[best.page_kind]]
    found = dict.fromkeys(name for row in equals for name in row.categories)
    if not found:
        found = dict.fromkeys(name for row in group for name in row.categories)
    names = tuple(found)
    if names == best.categories:
        return best
    return msgspec.structs.replace(best, categories=names, category=names[0])


def _rejection(row: Listing, reason: str, message: str, digest: str) -> Rejected:
    return Rejected("normalise", row.source_uri, reason, message, digest)
