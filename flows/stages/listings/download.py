"""The stage `download` captures the iCloud records and shortcut files of crawled listings."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchloom.core.progress import counted
from benchloom.normalise.opt_outs.tombstones import withhold
from flows.stages.listings.read import read_captures, stage_of_captures
from scrapers.captures import CaptureStore, CaptureWriter
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawl.captured import captured_listings
from scrapers.crawl.download import DownloadCounts, Downloader, states_of_links, still_open
from scrapers.crawl.fetching import CapturingFetcher
from scrapers.crawl.runs import open_run, write_state
from scrapers.errors import FetchError, SiteRefusedError
from scrapers.http.client import Client, utc_now
from scrapers.icloud import LARGEST_ASSET, RECORDS
from scrapers.settings import CrawlSettings
from scrapers.sites import ASSET_SITE, RECORD_SITE


class DownloadReport(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a download, its faults, and the refusal that ended it, if any.

    `links` counts the listed links, and `requested` the links that were requested now. `states`
    counts the requested links in each final state.
    """

    links: int
    requested: int
    states: dict[str, int]
    faults: tuple[str, ...]
    requests: int
    refused: str | None


def listed_ids(captures: Path, settings: CrawlSettings, read: Path | None = None) -> list[str]:
    """Return the iCloud ids of all captured listings that may be used, in a stable order.

    `read` is the finished stage that read the captures. If it is None, this function reads them.
    """
    with stage_of_captures(captures, read) as folder:
        merged, _ = captured_listings(
            read_captures(folder), include_member_only=settings.include_member_only
        )
    allowed = withhold(merged.listings, read_tombstones(captures), settings.opt_out)
    ids = dict.fromkeys(row.icloud_id for row in allowed.listings if row.icloud_id is not None)
    return [icloud_id for icloud_id in ids if icloud_id not in allowed.icloud_ids]


def download_shortcuts(
    icloud_ids: Sequence[str],
    captures: Path,
    settings: CrawlSettings,
    *,
    client: Client | None = None,
    read: Path | None = None,
) -> DownloadReport:
    """Fetch the shortcuts with these iCloud ids that are not stored yet; continue a killed run.

    `read` is the finished stage that read the captures, as in `listed_ids`.

    Raises:
        SettingsError: the settings do not allow a crawl.
    """
    with ExitStack() as stack:
        web = client or stack.enter_context(Client(settings))
        now = web.now()
        state, resumed = open_run(captures, RECORD_SITE, now, settings.resume_hours)
        asset_file = state.file.replace(RECORD_SITE, ASSET_SITE, 1)
        records = stack.enter_context(CaptureWriter(captures, RECORD_SITE, state.file))
        assets = stack.enter_context(CaptureWriter(captures, ASSET_SITE, asset_file))
        store = CaptureStore(captures, (RECORD_SITE, ASSET_SITE))
        stack.callback(store.close)
        fetchers = (
            CapturingFetcher(web, store, records, (), refusal_stops=False),
            CapturingFetcher(web, store, assets, (), refusal_stops=False, limit=LARGEST_ASSET),
        )
        if resumed:
            web.hold(RECORDS)
        folder = stack.enter_context(stage_of_captures(captures, read))
        open_ids = still_open(icloud_ids, states_of_links(read_captures(folder)), now[:10])
        counts, faults, refused = _fetch_all(open_ids, Downloader(*fetchers, store), web)
    ended = msgspec.structs.replace(
        state,
        outcome="refused" if refused else "complete",
        ended=utc_now(),
        requests=sum(fetcher.counts.requests for fetcher in fetchers),
        message=refused,
    )
    write_state(captures, RECORD_SITE, ended)
    return DownloadReport(
        links=len(set(icloud_ids)),
        requested=counts.requested,
        states=dict(sorted(counts.states.items())),
        faults=tuple(faults),
        requests=ended.requests,
        refused=refused,
    )


def _fetch_all(
    icloud_ids: Collection[str], downloader: Downloader, web: Client
) -> tuple[DownloadCounts, list[str], str | None]:
    """Fetch ids one after another; a refusal ends the download and keeps earlier results."""
    counts = DownloadCounts()
    faults: list[str] = []
    for icloud_id in counted(icloud_ids, "download", len(icloud_ids), "links"):
        try:
            counts.add(downloader.fetch(icloud_id, web.now()))
        except FetchError as error:
            counts.add("failed")
            faults.append(f"{icloud_id}: {error.reason}")
        except SiteRefusedError as error:
            return counts, faults, str(error)
    return counts, faults, None
