"""What a folder of captures says, read and joined here."""

from pathlib import Path

from benchloom.records import ICloudRecord, Listing
from flows.stages.listings.read import finished, read_captures
from scrapers.crawling.captured import CapturedListings, captured_listings
from scrapers.crawling.link_states import LinkState, link_states


def captured(captures: Path) -> CapturedListings:
    """The listings of all sites, merged, and the pages that look changed."""
    with finished(captures, None) as read:
        return captured_listings(read_captures(read))


def listed(captures: Path, site: str) -> list[Listing]:
    """The listings of a site."""
    return [row for row in captured(captures).merged.kept if row.site == site]


def links(captures: Path) -> list[LinkState]:
    """The state of every link."""
    with finished(captures, None) as read:
        return list(link_states(read_captures(read)))


def icloud_records(captures: Path) -> list[ICloudRecord]:
    """The record of every link."""
    return [state.record for state in links(captures)]
