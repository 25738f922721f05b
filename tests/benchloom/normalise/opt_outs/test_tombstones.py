"""Tests of withheld listings: those that were removed, or whose owners opted out."""

import pytest

from benchloom.core.records import Listing
from benchloom.normalise.opt_outs.tombstones import Allowed, Tombstone, withhold
from tests.benchloom.normalise.opt_outs.samples import A, B, C, link, listing


def tombstone(number: int) -> dict[str, Tombstone]:
    """Return the tombstone of a removed listing, by listing id."""
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


def listing_ids(rows: tuple[Listing, ...]) -> list[str]:
    return [row.listing_id for row in rows]


def test_all_listings_stay_without_tombstones_and_opt_outs() -> None:
    rows = [listing(1, A), listing(2)]
    assert withhold(rows, {}, []) == Allowed(tuple(rows), (), (), frozenset(), frozenset())


def test_removed_listing_is_rejected_with_its_reason_and_link() -> None:
    partition = withhold(
        [listing(1, A), listing(2, B), listing(3)], tombstone(1) | tombstone(3), []
    )
    assert listing_ids(partition.listings) == ["listing:2"]
    assert listing_ids(partition.gone) == ["listing:1", "listing:3"]
    assert partition.gone_ids == partition.icloud_ids == {A}
    assert partition.opted_ids == frozenset()
    (row, other) = partition.rejected
    assert (row.stage, row.source_uri, row.reason) == ("normalise", "page-1", "removed")
    assert (row.message, row.digest) == ("withheld from releases", "listing:1")
    assert other.digest == "listing:3"


def test_link_of_another_present_listing_is_not_withheld() -> None:
    partition = withhold([listing(1, A), listing(2, A)], tombstone(1), [])
    assert listing_ids(partition.gone) == ["listing:1"]
    assert partition.icloud_ids == frozenset()


@pytest.mark.parametrize(
    "entry",
    [A, A.upper(), link(A), f" {link(A)}/ ", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"],
)
def test_owner_may_opt_out_by_link_or_id(entry: str) -> None:
    partition = withhold([listing(1, A), listing(2, A), listing(3, B)], tombstone(1), [entry])
    assert listing_ids(partition.listings) == ["listing:3"]
    # The owner's opt-out is the reason even for a listing that was removed before.
    assert [row.reason for row in partition.rejected] == ["opted_out", "opted_out"]
    assert partition.opted_ids == {A}
    assert partition.gone_ids == frozenset()


@pytest.mark.parametrize("entry", ["https://teashop.example/1", " https://teashop.example/1/ "])
@pytest.mark.parametrize("url", ["", "https://teashop.example/1/"])
def test_owner_may_opt_out_by_listing_address(entry: str, url: str) -> None:
    partition = withhold([listing(1, A, url=url), listing(2, B, url=None)], {}, [entry])
    assert listing_ids(partition.gone) == ["listing:1"]
    assert [row.reason for row in partition.rejected] == ["opted_out"]
    assert partition.opted_ids == frozenset()
    assert partition.gone_ids == {A}


def test_link_without_any_listing_is_withheld() -> None:
    partition = withhold([listing(1, A), listing(2, B)], tombstone(2), [C])
    listed_partition = partition.only_listed([A, B, C, "d" * 32])
    assert listed_partition.gone_ids == {B, "d" * 32}
    assert listed_partition.opted_ids == {C}
    assert listed_partition.icloud_ids == {B, C, "d" * 32}
    assert listing_ids(listed_partition.listings) == ["listing:1"]
