"""Withholding of listings that were removed, or whose owners opted out."""

import pytest

from benchloom.core.records import Listing
from benchloom.normalise.opt_outs.tombstones import Allowed, Tombstone, withhold
from tests.benchloom.normalise.opt_outs.samples import A, B, C, link, listing


def stone(number: int) -> dict[str, Tombstone]:
    listing_id = f"listing:{number}"
    return {
        listing_id: Tombstone(
            at="2026-01-01T00:00:00Z",
            site="teashop",
            listing_id=listing_id,
            listing_url=None,
            icloud_id=None,
            reason="removed",
        )
    }


def names(rows: tuple[Listing, ...]) -> list[str]:
    return [row.listing_id for row in rows]


def test_without_a_wish_everything_is_kept() -> None:
    rows = [listing(1, A), listing(2)]
    assert withhold(rows, {}, []) == Allowed(tuple(rows), (), (), frozenset(), frozenset())


def test_a_removed_listing_goes_with_its_reason_and_its_link() -> None:
    partition = withhold([listing(1, A), listing(2, B), listing(3)], stone(1) | stone(3), [])
    assert names(partition.listings) == ["listing:2"]
    assert names(partition.gone) == ["listing:1", "listing:3"]
    assert partition.gone_ids == partition.icloud_ids == {A}
    assert partition.opted_ids == frozenset()
    (row, other) = partition.rejected
    assert (row.stage, row.source_uri, row.reason) == ("normalise", "page-1", "removed")
    assert (row.message, row.digest) == ("withheld from releases", "listing:1")
    assert other.digest == "listing:3"


def test_a_link_that_another_listing_still_shares_stays() -> None:
    partition = withhold([listing(1, A), listing(2, A)], stone(1), [])
    assert names(partition.gone) == ["listing:1"]
    assert partition.icloud_ids == frozenset()


@pytest.mark.parametrize(
    "wish",
    [A, A.upper(), link(A), f" {link(A)}/ ", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"],
)
def test_an_owner_may_name_the_link_or_its_id(wish: str) -> None:
    partition = withhold([listing(1, A), listing(2, A), listing(3, B)], stone(1), [wish])
    assert names(partition.listings) == ["listing:3"]
    # What the owner wished counts, whatever else was known of the listing.
    assert [row.reason for row in partition.rejected] == ["opted_out", "opted_out"]
    assert partition.opted_ids == {A}
    assert partition.gone_ids == frozenset()


@pytest.mark.parametrize("wish", ["https://teashop.example/1", " https://teashop.example/1/ "])
@pytest.mark.parametrize("url", ["", "https://teashop.example/1/"])
def test_an_owner_may_name_the_address(wish: str, url: str) -> None:
    partition = withhold([listing(1, A, url=url), listing(2, B, url=None)], {}, [wish])
    assert names(partition.gone) == ["listing:1"]
    assert [row.reason for row in partition.rejected] == ["opted_out"]
    assert partition.opted_ids == frozenset()
    assert partition.gone_ids == {A}


def test_a_link_that_no_listing_names_any_more_is_withheld_as_well() -> None:
    partition = withhold([listing(1, A), listing(2, B)], stone(2), [C])
    listed_partition = partition.only_listed([A, B, C, "d" * 32])
    assert listed_partition.gone_ids == {B, "d" * 32}
    assert listed_partition.opted_ids == {C}
    assert listed_partition.icloud_ids == {B, C, "d" * 32}
    assert names(listed_partition.listings) == ["listing:1"]
