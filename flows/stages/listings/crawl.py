"""Stage crawl: capture the pages of sites, one site per thread; write only captures."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchloom.core.errors import extra
from benchloom.core.structs import settle_structs
from flows.stages.listings.site_report import SiteReport, close_run, report_of
from scrapers.captures import CaptureStore, CaptureWriter
from scrapers.captures.replay import ReplayFetcher
from scrapers.crawling.crawl import crawl_site
from scrapers.crawling.fetching import CapturingFetcher
from scrapers.crawling.runs import Job, open_run
from scrapers.errors import SettingsError
from scrapers.http.client import Client
from scrapers.pages.site import Site
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

if TYPE_CHECKING:
    from scrapers.http.browser import Browser


from benchloom.core.progress import UnderWay, under_way
from scrapers.pages.page import FetchCounts


class Crawling:
    """Counts finished sites; the number of pages of a site is not known beforehand."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._total = len(sites)
        self._progress = UnderWay("crawl", self._total, "sites")
        self._counts: dict[str, FetchCounts] = {}

    @contextmanager
    def displayed(self) -> Iterator[None]:
        """Display the progress while the block crawls the sites."""
        with under_way("crawl", self._total, "sites") as self._progress:
            self._progress.detail = self.line
            yield

    @contextmanager
    def site(self, name: str, counts: FetchCounts) -> Iterator[None]:
        """Count a site as running during the block, which runs in one of several threads."""
        self._counts[name] = counts
        try:
            yield
        finally:
            del self._counts[name]
            self._progress.advance()

    def line(self) -> str:
        """The progress in one line."""
        done = f"crawl: {self._progress.done} of {self._total} sites done"
        pages = [
            f"{name} {_request_count(counts)}" for name, counts in sorted(self._counts.items())
        ]
        return f"{done}; {', '.join(pages)}" if pages else done


def _request_count(counts: FetchCounts) -> str:
    resumed = f" ({counts.resumed} not repeated)" if counts.resumed else ""
    return f"{counts.requests} requests{resumed}"


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
    """Crawl sites in parallel, each at its own pace; return reports in the order of names.

    With `skip_unready` a site that cannot be crawled here (closed, no credentials, no browser)
    is skipped with a note instead of ending the run.

    Raises:
        SettingsError: the settings do not allow a crawl.
        UnknownMemberError: an unknown name.
        ReplayMissError: a replay needs a page that was never captured.
    """
    sites = [SITES.find(name) for name in dict.fromkeys(names)]
    settle_structs()
    if replay:
        display = Crawling(sites)
        again = partial(
            replay_site,
            captures=captures,
            settings=settings,
            limit=limit,
            since=since,
            display=display,
        )
        with display.displayed(), ThreadPoolExecutor(max(1, len(sites))) as pool:
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
    """Yield a function that crawls one of the sites and can be called from several threads.

    One client limits the pace of requests to each host. If a crawl is killed or ends with an
    error, the next crawl continues with the unfinished sites; if the block ends without an
    error, the crawl is complete.

    Raises:
        SettingsError: the settings do not allow a crawl.
    """
    settle_structs()
    with Client(settings) as client:
        names = [site.name for site in sites]
        job = Job(captures, names, client.now(), settings.resume_hours)
        display = Crawling(sites)

        def work(site: Site) -> SiteReport:
            if job.is_done(site.name):
                # Finished before the crawl was killed: its report comes from its captures.
                return replay_site(
                    site, captures, settings, limit=limit, since=since, display=display
                )
            try:
                report = crawl_live(
                    site, captures, client, limit=limit, since=since, display=display
                )
            except SettingsError as error:
                if not skip_unready:
                    raise
                report = SiteReport(site=site.name, skipped=str(error))
            if report.refused is None and report.skipped is None:
                job.finish(site.name)
            return report

        with display.displayed():
            yield work
        job.close()


def replay_site(
    site: Site,
    captures: Path,
    settings: CrawlSettings,
    *,
    limit: int | None = None,
    since: str | None = None,
    display: Crawling | None = None,
) -> SiteReport:
    """Crawl a site from its captures, without the network; return the report."""
    store = CaptureStore(captures, (site.name,))
    try:
        fetcher = ReplayFetcher(store, site.hosts)
        rendered = site.name in settings.browser_sites
        with (display or Crawling((site,))).site(site.name, fetcher.counts):
            result = crawl_site(site, fetcher, limit=limit, since=since, rendered=rendered)
        return report_of(result, settings, fetcher.counts)
    finally:
        store.close()


def crawl_live(
    site: Site,
    captures: Path,
    client: Client,
    *,
    limit: int | None = None,
    since: str | None = None,
    display: Crawling | None = None,
) -> SiteReport:
    """Crawl a site into captures, continuing a run that was killed.

    Raises:
        SettingsError: the site is closed, or needs credentials or a browser that are missing.
    """
    settings = client.settings
    if site.closed and settings.replica is None:
        raise SettingsError(f"{site.name} is closed; --replay reads its captures")
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
        with (display or Crawling((site,))).site(site.name, fetcher.counts):
            result = crawl_site(site, fetcher, limit=limit, since=since, rendered=rendered)
    return close_run(result, captures, settings, state, fetcher.counts)


def _browser(settings: CrawlSettings, hosts: tuple[str, ...]) -> "Browser":
    """Start a browser; the browser module is imported only for a site that needs it."""
    with extra("browser", "sites whose pages need a browser", SettingsError):
        from scrapers.http.browser import Browser

    return Browser(settings, hosts)
