"""Merges the listings of all captures; newer responses of a URL override older responses."""

from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from benchloom.core.records import Listing
from benchloom.normalise.listings import ListingMerger, MergedListings
from scrapers.crawling.crawl import Drift
from scrapers.crawling.newest import Standing, standings
from scrapers.crawling.read_parts import Batch, ReadCaptures, decoded
from scrapers.pages.collector import PageJoin
from scrapers.sites import SITES


class CapturedListings(NamedTuple):
    """The listings of every site, merged, and the newest pages that look changed."""

    merged: MergedListings
    drift: tuple[Drift, ...]


class _Page(msgspec.Struct, frozen=True, gc=False):
    site: str
    url: str
    capture_id: str
    reading: bytes


def captured_listings(read: ReadCaptures, *, include_member_only: bool = False) -> CapturedListings:
    """Return the merged listings of every captured page.

    The newest response of a URL decides about its entries. An entry that only an earlier
    response shows keeps its row: that a page no longer lists the entry does not prove its
    removal, but a tombstone does. If the newest response looks changed, an earlier response is
    used.
    """
    standing = standings(read)
    merger = ListingMerger()
    joins = {site.name: PageJoin(site) for site in SITES.all().values()}
    drift: list[Drift] = []
    for batch in read.batches(_Page.__struct_fields__):
        for page in _pages(batch, standing, Standing.NEWEST):
            reading = decoded(page.reading).page
            if reading is None:
                continue
            joins[page.site].add(reading, page.url, page.capture_id)
            if reading.drift is None:
                for row in reading.rows:
                    merger.add(row)
                continue
            drift.append(Drift(page.url, page.capture_id, reading.drift, reading.drift_reason))
    for batch in read.backwards(_Page.__struct_fields__, len(standing)):
        for page in reversed(_pages(batch, standing, Standing.EARLIER)):
            reading = decoded(page.reading).page
            if reading is None or reading.drift is not None:
                continue
            joins[page.site].add(reading, page.url, page.capture_id)
            for row in [row for row in reading.rows if row.listing_id not in merger]:
                merger.add(row)

    def joined(row: Listing) -> Listing:
        return joins[row.site].joined(row)

    merged = merger.merged(joined, include_member_only=include_member_only)
    return CapturedListings(merged, tuple(drift))


def _pages(batch: Batch, standing: npt.NDArray[np.int8], target_standing: Standing) -> list[_Page]:
    which = standing[batch.start : batch.start + batch.rows.num_rows] == target_standing
    if not which.any():
        return []
    which &= pc.is_valid(batch.rows.column("reading")).to_numpy(zero_copy_only=False)
    return batch.chosen(which).records(_Page)
