"""Categories of several sites under one spelling."""

import msgspec
import pytest

from benchloom.core.records import Listing
from scrapers.crawl.visibility import unify_spelling
from tests.benchloom.normalise.test_merge_listings import row


def listed(*categories: str) -> Listing:
    return msgspec.structs.replace(
        row("detail", "page"), categories=categories, category=next(iter(categories), None)
    )


@pytest.mark.parametrize(
    ("names", "best"),
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
def test_the_best_spelling_is_taken_by_all(names: tuple[str, ...], best: str) -> None:
    listings = unify_spelling([listed(name) for name in names])
    assert [listing.category for listing in listings] == [best] * len(names)
    assert {listing.categories for listing in listings} == {(best,)}
    assert unify_spelling(listings) == listings
    assert unify_spelling([listed(name) for name in reversed(names)])[0].category == best


def test_a_row_names_a_category_once_and_other_rows_stay_as_they_are() -> None:
    plain = listed()
    twice, same = unify_spelling([listed("tools", "Tools", "Games"), plain])
    assert (twice.category, twice.categories) == ("Tools", ("Tools", "Games"))
    assert same is plain
