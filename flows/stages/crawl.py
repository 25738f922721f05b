"""Stage crawl: sites into captures, one site per thread; nothing but captures is written."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchloom.normalise.listings import merge_listings
from scrapers.captures import CaptureStore, CaptureWriter
from scrapers.captures.replay import ReplayFetcher
from scrapers.client import Client, utc_now
from scrapers.crawl import CrawlResult, crawl_site
from scrapers.errors import SettingsError
from scrapers.fetching import CapturingFetcher
from scrapers.pages import FetchCounts
from scrapers.runs import Job, RunState, open_run, write_state
from scrapers.settings import CrawlSettings
from scrapers.site import Site
from scrapers.sites import find_site
from scrapers.tombstones import Tombstone, add_tombstones, read_tombstones

if TYPE_CHECKING:
    from scrapers.browser import Browser


class SiteReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the crawl of one site did.

    `listings` counts entries after merging rows about the same one; `left_out` counts the others
    by reason. `drift` and `faults` hold one line per page. `skipped` says why nothing was done.
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


def crawl_sites(
    names: Sequence[str],
    captures: Path,
    settings: CrawlSettings,
    *,
    limit: int | None = None,
    since: str | None = None,
    replay: bool = False,
    skip_unready: bool = False,
) -> list[SiteReport]:
    """Crawl sites side by side, each at its own pace, in the order of their names.

    With `skip_unready` a site that cannot be crawled here (closed, no credentials, no browser)
    is skipped with a note instead of ending the run.

    Raises:
        SettingsError: the settings do not allow a crawl.
        UnknownSiteError: an unknown name.
        ReplayMissError: a replay needs a page that was never captured.
    """
    sites = [find_site(name) for name in dict.fromkeys(names)]
    if replay:
        again = partial(replay_site, captures=captures, settings=settings, limit=limit, since=since)
        with ThreadPoolExecutor(max(1, len(sites))) as pool:
            return list(pool.map(again, sites))
    with (
        open_crawl(
            sites, captures, settings, limit=limit, since=since, skip_unready=skip_unready
        ) as work,
        ThreadPoolExecutor(max(1, len(sites))) as pool,
    ):
        return list(pool.map(work, sites))


@contextmanager
def open_crawl(
    sites: Sequence[Site],
    captures: Path,
    settings: CrawlSettings,
    *,
    limit: int | None = None,
    since: str | None = None,
    skip_unready: bool = False,
) -> Iterator[Callable[[Site], SiteReport]]:
    """A function that crawls one of the sites, for several threads at once.

    One client keeps the pace per host. A crawl that is killed or ends with a fault goes on with
    the sites it had not finished; one whose block ends well is over.

    Raises:
        SettingsError: the settings do not allow a crawl.
    """
    with Client(settings) as client:
        names = [site.name for site in sites]
        job = Job(captures, names, client.now(), settings.resume_hours)

        def work(site: Site) -> SiteReport:
            if job.is_done(site.name):
                # Finished before the crawl was killed: its report comes from its captures.
                return replay_site(site, captures, settings, limit=limit, since=since)
            try:
                report = crawl_live(site, captures, client, limit=limit, since=since)
            except SettingsError as error:
                if not skip_unready:
                    raise
                report = SiteReport(site=site.name, skipped=str(error))
            if report.refused is None and report.skipped is None:
                job.finish(site.name)
            return report

        yield work
        job.close()


def replay_site(
    site: Site,
    captures: Path,
    settings: CrawlSettings,
    *,
    limit: int | None = None,
    since: str | None = None,
) -> SiteReport:
    """Crawl a site from captures alone; its report."""
    store = CaptureStore(captures, (site.name,))
    try:
        fetcher = ReplayFetcher(store, site.hosts)
        rendered = site.name in settings.browser_sites
        result = crawl_site(site, fetcher, limit=limit, since=since, rendered=rendered)
        return _report(result, settings, fetcher.counts)
    finally:
        store.close()


def crawl_live(
    site: Site,
    captures: Path,
    client: Client,
    *,
    limit: int | None = None,
    since: str | None = None,
) -> SiteReport:
    """Crawl a site into captures, going on with a run that was killed.

    Raises:
        SettingsError: the site is closed, or needs credentials or a browser that are not here.
    """
    settings = client.settings
    if site.closed and settings.replica is None:
        raise SettingsError(f"{site.name} is closed; --replay reads what was captured")
    state, resumed = open_run(captures, site.name, client.now(), settings.resume_hours)
    with ExitStack() as stack:
        writer = stack.enter_context(CaptureWriter(captures, site.name, state.file))
        store = CaptureStore(captures, (site.name,))
        stack.callback(store.close)
        renderer = cache(lambda: stack.enter_context(_browser(settings, site.hosts)))
        fetcher = CapturingFetcher(
            client,
            store,
            writer,
            site.hosts,
            robots_apply=site.robots_apply,
            renderer=renderer,
        )
        if resumed:
            client.hold(site.home)  # the killed run may have asked a moment ago
        rendered = site.name in settings.browser_sites
        result = crawl_site(site, fetcher, limit=limit, since=since, rendered=rendered)
    return _close_run(result, captures, settings, state, fetcher.counts)


def _browser(settings: CrawlSettings, hosts: tuple[str, ...]) -> "Browser":
    """A browser; imported and started only for a site that needs one."""
    from scrapers.browser import Browser

    return Browser(settings, hosts)


def _close_run(
    result: CrawlResult,
    captures: Path,
    settings: CrawlSettings,
    state: RunState,
    counts: FetchCounts,
) -> SiteReport:
    """Write down how the run ended, and which listings are gone."""
    merged = merge_listings(result.listings, include_member_only=settings.include_member_only)
    now = {row.listing_id: row.listing_url or "" for row in merged.kept}
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
            listings=len(merged.kept),
            drift=tuple(drift.capture for drift in result.drift),
            message=result.refused,
            listed=now if result.complete else now | (state.listed | now),
        ),
    )
    report = _report(result, settings, counts)
    return msgspec.structs.replace(report, tombstones=len(stones))


def _tombstones(
    result: CrawlResult, captures: Path, state: RunState, now: dict[str, str]
) -> list[Tombstone]:
    """What went since the last complete run, what a page says is gone, and what came back."""
    in_force = read_tombstones(captures)
    gone: dict[str, str] = {
        row.listing_id: row.listing_url or ""
        for row in result.listings
        if row.page_kind == "error" and row.state in {"not_found", "removed"}
    }
    if result.complete:
        gone |= {
            key: state.listed[key]
            for key in _should_be_listed(result.site, state, now)
            if key not in now
        }
    known = set(state.listed)
    stones = [
        _stone(result.site, key, url, "removed")
        for key, url in sorted(gone.items())
        if key in known and key not in now and key not in in_force
    ]
    back = sorted(key for key in now if key in in_force)
    return stones + [_stone(result.site, key, now[key], "restored") for key in back]


def _should_be_listed(site: str, state: RunState, now: dict[str, str]) -> list[str]:
    """Entries of the run before that a complete run must find, unless they are gone.

    A rolling list may have dropped what is older than everything it still shows.
    """
    before = list(state.listed)
    if not find_site(site).rolling:
        return before
    still = [place for place, key in enumerate(before) if key in now]
    return before[: still[-1]] if still else []


def _stone(site: str, key: str, url: str, reason: str) -> Tombstone:
    return Tombstone(
        at=utc_now(),
        site=site,
        listing_id=key,
        listing_url=url or None,
        icloud_id=None,
        reason="removed" if reason == "removed" else "restored",
    )


def _report(result: CrawlResult, settings: CrawlSettings, counts: FetchCounts) -> SiteReport:
    merged = merge_listings(result.listings, include_member_only=settings.include_member_only)
    left_out: dict[str, int] = {}
    for row in merged.rejected:
        if row.reason != "duplicate_listing":
            left_out[row.reason] = left_out.get(row.reason, 0) + 1
    return SiteReport(
        site=result.site,
        pages=result.pages,
        listings=len(merged.kept),
        left_out=left_out,
        requests=counts.requests,
        unchanged=counts.unchanged,
        resumed=counts.resumed,
        body_bytes=counts.body_bytes,
        drift=tuple(f"{d.capture} {d.url}: {d.message}" for d in result.drift),
        faults=tuple(f"{url}: {reason}" for url, reason in result.faults),
        refused=result.refused,
        complete=result.complete,
    )
