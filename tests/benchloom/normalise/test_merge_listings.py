"""One row per entry, and a reason for every other one."""

import msgspec

from benchloom.core.records import Listing, PageKind
from benchloom.normalise.listings import merge_listings
from tests.benchloom.normalise.opt_outs.samples import listing

ROW = msgspec.structs.replace(listing(1, "0" * 32), name="One", category="a", categories=("a",))


def row(kind: PageKind, source_uri: str, *categories: str, number: int = 1) -> Listing:
    return msgspec.structs.replace(
        ROW,
        listing_id=f"listing:{number}",
        page_kind=kind,
        source_uri=source_uri,
        categories=categories,
        category=categories[0] if categories else None,
    )


def test_the_fullest_row_stays() -> None:
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


def test_an_error_page_goes_before_a_teaser_and_after_a_page() -> None:
    gone = msgspec.structs.replace(row("error", "e"), state="nsfw", name=None)
    merged = merge_listings([row("card", "list"), gone])
    assert merged.listings == ()
    assert {r.reason for r in merged.rejected} == {"nsfw", "duplicate_listing"}
    assert merge_listings([row("detail", "d"), gone]).listings[0].source_uri == "d"


def test_members_entries_need_a_decision() -> None:
    member = msgspec.structs.replace(row("entry", "m"), member_only=True)
    assert merge_listings([member]).listings == ()
    assert merge_listings([member]).rejected[0].reason == "member_only"
    assert merge_listings([member], include_member_only=True).listings == (member,)


def test_nothing_is_lost_between_entries() -> None:
    rows = [row("entry", f"u{n}", number=n % 7) for n in range(20)]
    merged = merge_listings(rows)
    assert len(merged.listings) == 7
    assert len(merged.listings) + len(merged.rejected) == len(rows)
