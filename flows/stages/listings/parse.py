"""The stage `parse` of listings reads pages of a site, and writes `listings` and `rejected`.

Pages are loose files or members of archives, whose URL is unknown, or members of web archives,
whose URL, status and capture are known. Every page yields its rows; duplicates are kept.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.progress import under_way
from benchloom.core.records import Rejected
from benchloom.storage.inputs import SourceObject, list_objects
from flows.run.output import Result
from flows.run.runner import WholeStage
from scrapers.captures.layout import is_own_file
from scrapers.pages.collector import Collector, reading_of
from scrapers.pages.page import Page, ParsedPage, page_of
from scrapers.pages.site import Site, Source, read_page
from scrapers.sites import SITES

STAGE = "parse-listings"


def prepare(inputs: Sequence[Path], site: str) -> WholeStage:
    """Build the stage that parses the pages of a site.

    Raises:
        UnknownMemberError: no site has this name.
    """
    write = partial(write_listings, inputs, SITES.find(site))
    return WholeStage(name=STAGE, tables=("listings", "rejected"), write=write)


def write_listings(inputs: Sequence[Path], site: Site, result: Result) -> None:
    """Parse every page under the inputs with the site's adapter, and write the rows.

    Raises:
        RunError: an input does not exist, or there is nothing to read.
    """
    collector = Collector(site)
    rejected: list[Rejected] = []
    decides = [site.name]
    with ExitStack() as stack:
        progress = stack.enter_context(under_way("parse listings", None, "pages"))
        for source in _pages_of(list_objects(inputs, stack), site):
            result.objects += 1
            progress.advance()
            try:
                body = source.read()
            except RejectedInputError as error:
                rejected.append(Rejected("parse", source.source_uri, error.reason, error.message))
                decides += [source.source_uri, error.reason]
                continue
            digest = tagged_digest("file", body)
            decides += [source.source_uri, digest]
            page = _page(source, body)
            parsed = read_page(site, page)
            capture = source.capture.capture_id if source.capture is not None else None
            reading = reading_of(site, page, parsed, Source(source.source_uri, digest, capture))
            collector.add(reading, page.url, page.capture_id)
            loss = _loss(parsed)
            if loss is not None:
                rejected.append(Rejected("parse", source.source_uri, *loss, digest))
    if not result.objects:
        raise RunError(
            f"{', '.join(map(str, inputs))}: contains no page of {site.name}; pass "
            f"saved pages or captures"
        )
    result.decides = decides
    listings = sorted(
        collector.listings(), key=lambda row: (row.site, row.source_uri, row.position)
    )
    result.add_all("listings", listings)
    result.reject_sorted(rejected)


def _pages_of(objects: list[SourceObject], site: Site) -> Iterator[SourceObject]:
    """Yield the objects that may be pages of the site; captures also contain other objects."""
    for source in objects:
        if source.capture is None:
            if not is_own_file(source.source_uri):
                yield source
            continue
        site_name = source.capture.site
        host = source.capture.url.split("/")[2] if "://" in source.capture.url else ""
        is_own = site_name == site.name if site_name else host in site.hosts
        if is_own and not source.capture.url.endswith("/robots.txt"):
            yield source


def _page(source: SourceObject, body: bytes) -> Page:
    if source.capture is not None:
        return page_of(source.capture, body)
    return Page(url=None, status=200, headers=(), body=body)


def _loss(parsed: ParsedPage) -> tuple[str, str] | None:
    """Return the reason and a message if a page must have rows but has none, else None."""
    if parsed.drift is not None:
        return parsed.drift_reason, parsed.drift
    if parsed.kind == "other" and not (parsed.open_ids or parsed.follow):
        return parsed.reason or "no_listing_on_page", "the page lists no shortcut"
    return None
