"""This module downloads shortcuts from iCloud: the record of each, and immediately its file.

The file must be requested at once, because its address in the record expires after about an hour.
The links to request are chosen from captures alone. So a killed download continues where it
stopped, and a later download requests only the links that have no final result.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from http import HTTPStatus

import msgspec

from scrapers.captures import CaptureStore
from scrapers.crawl.fetching import CapturingFetcher
from scrapers.crawl.link_states import NOT_CAPTURED, LinkState, link_states
from scrapers.crawl.read_parts import ReadCaptures
from scrapers.errors import FetchError, SiteRefusedError
from scrapers.icloud import (
    LARGEST_ASSET,
    MAX_REDIRECTS,
    REDIRECTS,
    RecordAnswer,
    asset_address,
    asset_problem,
    is_asset_host,
    read_record,
    record_url,
)
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, PageRequest

ADDRESS_MINUTES = 50
"""The age in minutes at which a file's address is requested anew; addresses work for an hour."""
CONFIRMING_DAYS = 2
_EXPIRED = frozenset({400, 401, 403, 404, 410})


def still_open(
    icloud_ids: Iterable[str], state_by_id: dict[str, LinkState], today: str
) -> list[str]:
    """Return the ids of the iCloud links to request today, in the given order.

    A link whose file is captured is never requested again. A link that does not exist, is deleted
    or is private is requested once a day until the results of two days agree. A link whose file is
    missing or wrong is requested once a day. If a request failed, or the file was not captured, the
    link is requested at any time.
    """
    return [key for key in dict.fromkeys(icloud_ids) if _is_open(state_by_id.get(key), today)]


def _is_open(link: LinkState | None, today: str) -> bool:
    if link is None:
        return True
    state = link.record.state
    if state in {"available", "dead"}:
        return False
    if state in {"deleted", "private"} and len(link.checked_on) >= CONFIRMING_DAYS:
        return False
    if state == "failed" or link.record.reason == NOT_CAPTURED:
        return True
    return today not in link.checked_on


class Downloader:
    """A downloader of shortcuts, which uses one fetcher for records and another for files."""

    def __init__(
        self, records: CapturingFetcher, assets: CapturingFetcher, store: CaptureStore
    ) -> None:
        self._records = records
        self._assets = assets
        self._store = store

    def fetch(self, icloud_id: str, now: str) -> str:
        """Download and capture the record and the file of a shortcut.

        Return `available` if the file was captured. Otherwise return the state of the record (see
        `RecordAnswer`), or `no_asset`, `bad_asset` or `expired` if the file could not be used.
        """
        url = record_url(icloud_id)
        answer = self._record(PageRequest(url, fresh=self._is_old(url, now)))
        if answer.state != "found":
            return answer.state
        state = self._any_asset(answer, icloud_id)
        if state == "expired":
            answer = self._record(PageRequest(url, fresh=True))
            state = self._any_asset(answer, icloud_id) if answer.state == "found" else answer.state
        return state

    def _is_old(self, url: str, now: str) -> bool:
        # The addresses in a record from an earlier hour have expired.
        capture = self._store.last_seen(url)
        if capture is None:
            return False
        age = datetime.fromisoformat(now) - datetime.fromisoformat(capture.fetched_at)
        return age > timedelta(minutes=ADDRESS_MINUTES)

    def _record(self, request: PageRequest) -> RecordAnswer:
        page = self._records.fetch(request)
        answer = read_record(page.status, page.body)
        if page.status in {401, 403} and answer.reason == f"HTTP {page.status}":
            # Without iCloud's error body the status means that iCloud refuses us, not that a
            # shortcut is private.
            raise SiteRefusedError(request.url, f"HTTP {page.status}")
        return answer

    def _any_asset(self, answer: RecordAnswer, icloud_id: str) -> str:
        # The first intact file of a record; `shortcut` comes before `signedShortcut`.
        state = "no_asset"
        for asset in answer.assets:
            address = asset_address(asset, icloud_id)
            if address is None or (asset.size or 0) > LARGEST_ASSET:
                state = "bad_asset"
                continue
            page = self._asset(address)
            if page.status == HTTPStatus.OK and asset_problem(page.body, asset.size) is None:
                return "available"
            state = "expired" if page.status in _EXPIRED else "bad_asset"
            if state == "expired":
                return state
        return state

    def _asset(self, address: str) -> Page:
        for _ in range(MAX_REDIRECTS):
            page = self._assets.fetch(PageRequest(address))
            target = page.header("Location")
            if page.status not in REDIRECTS or target is None:
                return page
            address = join_address(address, target) or target
            if not is_asset_host(address):
                raise FetchError(
                    address, "address_refused", "the address is not on one of Apple's content hosts"
                )
        raise FetchError(
            address, "bad_redirect", f"the file redirects more than {MAX_REDIRECTS} times"
        )


def states_of_links(read: ReadCaptures) -> dict[str, LinkState]:
    """Return a mapping from iCloud ids to the states of their links, according to captures."""
    return {state.record.icloud_id: state for state in link_states(read)}


class DownloadCounts(msgspec.Struct):
    """The counts of a download: the links that were requested, and the links with each result."""

    requested: int = 0
    states: dict[str, int] = {}

    def add(self, state: str) -> None:
        """Count a link whose request had the result `state`."""
        self.requested += 1
        self.states[state] = self.states.get(state, 0) + 1
