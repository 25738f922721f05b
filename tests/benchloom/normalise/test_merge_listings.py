"""One row per entry, and a reason for every other one."""

import msgspec

from benchloom.core.records import Listing, PageKind
from benchloom.normalise.listings import merge_listings

ROW = Listing(
    listing_id="listing:1", site="s", listing_url="https://s.example/1", page_kind="detail",
    state="listed", icloud_id="0" * 32, link=None, link_problem=None, name="One", tagline=None,
    description=None, category="a", categories=("a",), version=None, system_version=None,
    updated=None, downloads=None, favorites=None, reads=None, rating=None, member_only=False,
    author_credit=None, download_url=None, next_page=None, capture=None, link_capture=None,
    source_uri="p1", source_digest="d", position=0,
)  # fmt: skip


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
