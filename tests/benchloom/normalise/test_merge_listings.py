"""Tests of merged listings: one row per listing, and a reason for every other row."""

import msgspec

from benchloom.core.records import Listing, PageKind
from benchloom.normalise.listings import merge_listings
from tests.benchloom.normalise.opt_outs.samples import listing

ROW = msgspec.structs.replace(listing(1, "0" * 32), name="One", category="a", categories=("a",))


def row(kind: PageKind, source_uri: str, *categories: str, number: int = 1) -> Listing:
    """Return a row about listing `number`, read from a page of a kind."""
    return msgspec.structs.replace(
        ROW,
        listing_id=f"listing:{number}",
        page_kind=kind,
        source_uri=source_uri,
        categories=categories,
        category=categories[0] if categories else None,
    )


def test_most_complete_row_is_kept() -> None:
    merged = merge_listings(
        [row("card", "list", "c"), row("detail", "page", "a"), row("card", "two")]
    )
    assert [listing.source_uri for listing in merged.listings] == ["page"]
    assert merged.listings[0].categories == ("a",)
    assert [(r.source_uri, r.reason) for r in merged.rejected] == [
        ("list", "duplicate_listing"),
        ("two", "duplicate_listing"),
    ]


def test_equal_rows_add_their_categories() -> None:
    merged = merge_listings([row("entry", "x", "b", "a"), row("entry", "y", "a", "c")])
    assert merged.listings[0].categories == ("b", "a", "c")
    assert merged.listings[0].category == "b"
    teased = merge_listings([row("detail", "x"), row("card", "y", "c")])
    assert teased.listings[0].categories == ("c",)


def test_error_page_outranks_a_teaser_but_not_a_detail_page() -> None:
    error_row = msgspec.structs.replace(row("error", "e"), state="nsfw", name=None)
    merged = merge_listings([row("card", "list"), error_row])
    assert merged.listings == ()
    assert {r.reason for r in merged.rejected} == {"nsfw", "duplicate_listing"}
    assert merge_listings([row("detail", "d"), error_row]).listings[0].source_uri == "d"


def test_member_only_listings_need_an_option() -> None:
    member = msgspec.structs.replace(row("entry", "m"), member_only=True)
    assert merge_listings([member]).listings == ()
    assert merge_listings([member]).rejected[0].reason == "member_only"
    assert merge_listings([member], include_member_only=True).listings == (member,)


def test_every_row_is_merged_or_rejected() -> None:
    rows = [row("entry", f"u{n}", number=n % 7) for n in range(20)]
    merged = merge_listings(rows)
    assert len(merged.listings) == 7
    assert len(merged.listings) + len(merged.rejected) == len(rows)
