"""The stage `crawl` stores the pages of sites as captures, with one thread per site."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchloom.core.errors import extra
from benchloom.core.progress import UnderWay, under_way
from benchloom.core.structs import settle_structs
from benchloom.normalise.listings import merge_listings
from flows.stages.listings.site_report import SiteReport, close_run, report_of
from scrapers.captures import CaptureStore, CaptureWriter
from scrapers.captures.replay import ReplayFetcher
from scrapers.crawl.crawl import CrawlResult, crawl_site
from scrapers.crawl.fetching import CapturingFetcher
from scrapers.crawl.runs import Job, open_run
from scrapers.errors import SettingsError
from scrapers.http.client import Client
from scrapers.pages.page import FetchCounts
from scrapers.pages.site import Site
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

if TYPE_CHECKING:
    from scrapers.http.browser import Browser


class Crawl:
    """A crawl of sites over the network or from captures, with one thread per site.

    It counts finished sites; the number of pages of a site is not known beforehand.

    Args:
        sites: the sites.
        captures: the folder of captures.
        settings: the settings of the crawl.
        limit: the number of listings after which each site stops.
        since: the date before which entries are skipped.
    """

    def __init__(
        self,
        sites: Sequence[Site],
        captures: Path,
        settings: CrawlSettings,
        *,
        limit: int | None = None,
        since: str | None = None,
    ) -> None:
        self._sites = sites
        self._captures = captures
        self._settings = settings
        self._limit = limit
        self._since = since
        self._progress = UnderWay("crawl", len(sites), "sites")
        self._counts: dict[str, FetchCounts] = {}

    @contextmanager
    def replaying(self) -> Iterator[Callable[[Site], SiteReport]]:
        """Yield a function that reads a site from its stored responses, without any request."""
        with self._displayed():
            yield self.replay

    @contextmanager
    def live(self, *, skip_unready: bool = False) -> Iterator[Callable[[Site], SiteReport]]:
        """Yield a function that crawls one of the sites and can be called from several threads.

        One client limits the pace of requests to each host. If a crawl is killed or ends with an
        error, the next crawl continues with the unfinished sites; if the block ends without an
        error, the crawl is complete.

        Raises:
            SettingsError: the settings do not allow a crawl.
        """
        settle_structs()
        with Client(self._settings) as client:
            names = [site.name for site in self._sites]
            job = Job(self._captures, names, client.now(), self._settings.resume_hours)

            def crawl(site: Site) -> SiteReport:
                if job.is_done(site.name):
                    # Finished before the crawl was killed: its report comes from its captures.
                    return self.replay(site)
                try:
                    report = self._crawl(site, client)
                except SettingsError as error:
                    if not skip_unready:
                        raise
                    report = SiteReport(site=site.name, skipped=str(error))
                if report.refused is None and report.skipped is None:
                    job.finish(site.name)
                return report

            with self._displayed():
                yield crawl
            job.close()

    def replay(self, site: Site) -> SiteReport:
        """Read a site from its captures, without the network, and return the report."""
        with closing(CaptureStore(self._captures, (site.name,))) as store:
            fetcher = ReplayFetcher(store, site.hosts)
            result = self._visit(site, fetcher)
        members = self._settings.include_member_only
        merged = merge_listings(result.listings, include_member_only=members)
        return report_of(result, merged, fetcher.counts)

    def _crawl(self, site: Site, client: Client) -> SiteReport:
        """Crawl a site, store its responses as captures, and continue a run that was killed.

        Raises:
            SettingsError: the site is closed, or needs credentials or a browser that are missing.
        """
        captures, settings = self._captures, self._settings
        if site.closed and settings.replica is None:
            raise SettingsError(f"{site.name} is closed; pass --replay to read its captures")
        state, resumed = open_run(captures, site.name, client.now(), settings.resume_hours)
        with ExitStack() as stack:
            writer = stack.enter_context(CaptureWriter(captures, site.name, state.file))
            store = stack.enter_context(closing(CaptureStore(captures, (site.name,))))
            fetcher = CapturingFetcher(
                client,
                store,
                writer,
                site.hosts,
                robots_apply=site.robots_apply,
                renderer=cache(lambda: stack.enter_context(_browser(settings, site.hosts))),
            )
            if resumed:
                client.hold(site.home)  # the killed run may have sent a request a moment ago
            result = self._visit(site, fetcher)
        return close_run(result, captures, settings, state, fetcher.counts)

    def _visit(self, site: Site, fetcher: ReplayFetcher | CapturingFetcher) -> CrawlResult:
        self._counts[site.name] = fetcher.counts
        try:
            return crawl_site(
                site,
                fetcher,
                limit=self._limit,
                since=self._since,
                rendered=site.name in self._settings.browser_sites,
            )
        finally:
            del self._counts[site.name]
            self._progress.advance()

    @contextmanager
    def _displayed(self) -> Iterator[None]:
        with under_way("crawl", len(self._sites), "sites") as self._progress:
            self._progress.detail = self._line
            yield

    def _line(self) -> str:
        done = f"crawl: {self._progress.done} of {len(self._sites)} sites done"
        counts = sorted(self._counts.items())
        pages = [f"{name} {_request_count(fetch_counts)}" for name, fetch_counts in counts]
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
    """Crawl sites in parallel, each at a separate pace; return reports in the order of names.

    With `skip_unready` a site that cannot be crawled here (closed, no credentials, no browser) is
    skipped with a note instead of ending the run.

    Raises:
        SettingsError: the settings do not allow a crawl.
        UnknownMemberError: no site has one of the names.
        ReplayMissError: a replay needs a page that was never captured.
    """
    sites = [SITES.find(name) for name in dict.fromkeys(names)]
    settle_structs()
    crawl = Crawl(sites, captures, settings, limit=limit, since=since)
    opened = crawl.replaying() if replay else crawl.live(skip_unready=skip_unready)
    with opened as visit, ThreadPoolExecutor(max(1, len(sites))) as pool:
        return list(pool.map(visit, sites))


def _browser(settings: CrawlSettings, hosts: tuple[str, ...]) -> "Browser":
    """Start a browser. Its module is imported here, because only some sites need a browser."""
    with extra("browser", "sites whose pages need a browser", SettingsError):
        from scrapers.http.browser import Browser

    return Browser(settings, hosts)
