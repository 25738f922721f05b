"""Tests of category names: equal categories of several sites get one spelling."""

import msgspec
import pytest

from benchloom.core.records import Listing
from scrapers.crawl.visibility import unify_spelling
from tests.benchloom.normalise.test_merge_listings import row


def listing_with(*categories: str) -> Listing:
    """Return a listing with these categories."""
    return msgspec.structs.replace(
        row("detail", "page"), categories=categories, category=next(iter(categories), None)
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("utilities", "utilities", "Utilities"), "Utilities"),
        (("UTILITIES", "Utilities"), "Utilities"),
        (("Photo  &  video", "Photo & Video", "photo & video"), "Photo & Video"),
        (("\uff4d\uff55\uff53\uff49\uff43", "Music"), "Music"),
        (("NSFW", "NSFW"), "NSFW"),
        (("生活", "生活"), "生活"),
        (("straße", "STRASSE", "straße"), "straße"),
    ],
)
def test_all_listings_get_the_best_spelling(names: tuple[str, ...], expected: str) -> None:
    listings = unify_spelling([listing_with(name) for name in names])
    assert [listing.category for listing in listings] == [expected] * len(names)
    assert {listing.categories for listing in listings} == {(expected,)}
    assert unify_spelling(listings) == listings
    assert unify_spelling([listing_with(name) for name in reversed(names)])[0].category == expected


def test_row_lists_a_category_once_and_other_rows_are_unchanged() -> None:
    plain = listing_with()
    twice, same = unify_spelling([listing_with("tools", "Tools", "Games"), plain])
    assert (twice.category, twice.categories) == ("Tools", ("Tools", "Games"))
    assert same is plain
