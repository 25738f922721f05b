"""Finish the crawl of a site: store its state and its removed entries, and make a report."""

from pathlib import Path

import msgspec

from benchloom.normalise.listings import MergedListings, merge_listings
from benchloom.normalise.opt_outs.tombstones import Reason, Tombstone
from scrapers.captures.tombstones import add_tombstones, read_tombstones
from scrapers.crawl.crawl import CrawlResult
from scrapers.crawl.runs import RunState, write_state
from scrapers.http.client import utc_now
from scrapers.pages.page import FetchCounts
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES


class SiteReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the crawl of one site.

    `listings` counts entries after merging rows about the same entry; `left_out` counts omitted
    entries for each reason. `drift` has one line for each page of an unexpected form, `faults` one
    line for each page that could not be read. `refused` and `skipped` are the reasons if the site
    refused the crawl or was not crawled.
    """

    site: str
    pages: int = 0
    listings: int = 0
    left_out: dict[str, int] = {}
    requests: int = 0
    unchanged: int = 0
    resumed: int = 0
    body_bytes: int = 0
    tombstones: int = 0
    drift: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    refused: str | None = None
    skipped: str | None = None
    complete: bool = False


def close_run(
    result: CrawlResult,
    captures: Path,
    settings: CrawlSettings,
    state: RunState,
    counts: FetchCounts,
) -> SiteReport:
    """Record how the crawl of a site ended and which entries are gone; return the report."""
    merged = merge_listings(result.listings, include_member_only=settings.include_member_only)
    now = {row.listing_id: row.listing_url or "" for row in merged.listings}
    stones = _tombstones(result, captures, state, now)
    add_tombstones(captures, stones)
    outcome = "complete" if result.complete else "refused" if result.refused else "partial"
    write_state(
        captures,
        result.site,
        msgspec.structs.replace(
            state,
            outcome=outcome,
            ended=utc_now(),
            requests=counts.requests,
            listings=len(merged.listings),
            drift=tuple(drift.capture for drift in result.drift),
            message=result.refused,
            # Entries that a partial run did not reach come last: rolling lists depend on the order.
            listed=now if result.complete else now | (state.listed | now),
        ),
    )
    return report_of(result, merged, counts, tombstones=len(stones))


def _tombstones(
    result: CrawlResult, captures: Path, state: RunState, now: dict[str, str]
) -> list[Tombstone]:
    """Return records (tombstones) of entries that are missing, reported gone, or back again.

    An entry is missing if the last complete run had it and this run does not.
    """
    in_force = read_tombstones(captures)
    removed_entries: dict[str, str] = {
        row.listing_id: row.listing_url or ""
        for row in result.listings
        if row.page_kind == "error" and row.state in {"not_found", "removed"}
    }
    if result.complete:
        removed_entries |= {
            listing_id: state.listed[listing_id]
            for listing_id in _should_be_listed(result.site, state, now)
            if listing_id not in now
        }
    removed = {
        listing_id: url
        for listing_id, url in removed_entries.items()
        if listing_id in state.listed and listing_id not in now and listing_id not in in_force
    }
    restored = {listing_id: url for listing_id, url in now.items() if listing_id in in_force}
    changes: tuple[tuple[Reason, dict[str, str]], ...] = (
        ("removed", removed),
        ("restored", restored),
    )
    return [
        Tombstone(
            at=utc_now(),
            site=result.site,
            listing_id=listing_id,
            listing_url=url or None,
            icloud_id=None,
            reason=reason,
        )
        for reason, urls in changes
        for listing_id, url in sorted(urls.items())
    ]


def _should_be_listed(site: str, state: RunState, now: dict[str, str]) -> list[str]:
    """Return the previous entries that a complete run must find unless they were removed.

    If the list of a site shows only its newest entries (a rolling list), it may have dropped
    entries older than the oldest one that it still shows.
    """
    before = list(state.listed)
    if not SITES.find(site).rolling:
        return before
    still = [position for position, listing_id in enumerate(before) if listing_id in now]
    return before[: still[-1]] if still else []


def report_of(
    result: CrawlResult, merged: MergedListings, counts: FetchCounts, tombstones: int = 0
) -> SiteReport:
    """Return the report of a crawl for people, with its entries, requests and faults."""
    left_out: dict[str, int] = {}
    for row in merged.rejected:
        if row.reason != "duplicate_listing":
            left_out[row.reason] = left_out.get(row.reason, 0) + 1
    return SiteReport(
        site=result.site,
        pages=result.pages,
        listings=len(merged.listings),
        left_out=left_out,
        requests=counts.requests,
        unchanged=counts.unchanged,
        resumed=counts.resumed,
        body_bytes=counts.body_bytes,
        tombstones=tombstones,
        drift=tuple(f"{d.capture} {d.url}: {d.message}" for d in result.drift),
        faults=tuple(f"{url}: {reason}" for url, reason in result.faults),
        refused=result.refused,
        complete=result.complete,
    )
