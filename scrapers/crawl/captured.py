"""This module merges the listings in all captures; newer responses of a URL replace older ones."""

from collections.abc import Iterable
from enum import IntEnum
from hashlib import blake2b
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from benchloom.core.records import Listing
from benchloom.normalise.listings import ListingMerger, MergedListings
from scrapers.crawl.crawl import Drift
from scrapers.crawl.read_parts import Batch, ReadCaptures, decoded
from scrapers.pages.collector import PageJoin
from scrapers.sites import SITES

_BYTES = 16
_PAIR = 2


class CaptureStatus(IntEnum):
    """Whether a capture is the newest response of its URL, an earlier response, or neither.

    Revisits, faults and captures that are not pages of sites have the status NONE.
    """

    NONE = 0
    NEWEST = 1
    EARLIER = 2


class _Seen(msgspec.Struct, frozen=True, gc=False):
    site: str
    kind: str
    url: str
    capture_id: str
    refers_to: str | None


class _Columns(msgspec.Struct):
    # One value per page capture: number, digests of URL and response, kind.
    numbers: list[npt.NDArray[np.int64]] = []
    urls: list[bytes] = []
    answers: list[bytes] = []
    rendered: list[npt.NDArray[np.bool_]] = []
    revisits: list[npt.NDArray[np.bool_]] = []


def capture_statuses(read: ReadCaptures) -> npt.NDArray[np.int8]:
    """Return the status of every capture as a value of `CaptureStatus`, in the order of captures.

    A revisit says that a URL gave an earlier response again. Then that response is the newest one.
    """
    names = frozenset(SITES.names())
    columns = _Columns()
    count = 0
    for batch in read.batches(_Seen.__struct_fields__):
        count = batch.start + batch.rows.num_rows
        _add(columns, batch.start, batch.records(_Seen), names)
    statuses = np.zeros(count, np.int8)
    if columns.numbers:
        _judge(columns, statuses)
    return statuses


def _add(columns: _Columns, start: int, records: list[_Seen], names: frozenset[str]) -> None:
    pages = [
        (number, capture)
        for number, capture in enumerate(records, start)
        if capture.kind != "fault" and capture.site in names
    ]
    if pages:
        columns.numbers.append(np.array([number for number, _ in pages], np.int64))
        columns.urls.append(_digests(capture.url for _, capture in pages))
        columns.answers.append(_digests(_answer(capture) for _, capture in pages))
        columns.rendered.append(np.array([capture.kind == "rendered" for _, capture in pages]))
        columns.revisits.append(np.array([capture.kind == "revisit" for _, capture in pages]))


def _answer(capture: _Seen) -> str:
    return (capture.refers_to or "") if capture.kind == "revisit" else capture.capture_id


def _digests(texts: Iterable[str]) -> bytes:
    return b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
        for text in texts
    )


def _judge(columns: _Columns, statuses: npt.NDArray[np.int8]) -> None:
    numbers = np.concatenate(columns.numbers)
    revisits = np.concatenate(columns.revisits)
    statuses[numbers[~revisits]] = CaptureStatus.EARLIER
    # Sorted so that the revisits of each response follow it.
    order = _order(columns.answers)
    keys = _halves(columns.answers)[order]
    latest = np.maximum.accumulate(np.where(revisits[order], -1, np.arange(len(order))))
    # If a different response precedes a revisit, the response of the revisit is unknown.
    is_known = (latest >= 0) & (keys[latest] == keys).all(axis=1)
    answer_indices = np.full(len(order), -1, np.int64)
    answer_indices[order] = np.where(is_known, order[latest], -1)
    del order, keys, latest
    answered_indices = np.flatnonzero(answer_indices >= 0)
    rendered = np.concatenate(columns.rendered)[answer_indices[answered_indices]]
    urls = _halves(columns.urls)[answered_indices]
    order = np.lexsort((answered_indices, rendered, urls[:, 1], urls[:, 0]))
    urls, rendered = urls[order], rendered[order]
    is_last = np.ones(len(order), np.bool_)
    is_last[:-1] = (urls[1:] != urls[:-1]).any(axis=1) | (rendered[1:] != rendered[:-1])
    statuses[numbers[answer_indices[answered_indices[order[is_last]]]]] = CaptureStatus.NEWEST


def _halves(digests: Iterable[bytes]) -> npt.NDArray[np.uint64]:
    return np.frombuffer(b"".join(digests), np.uint64).reshape(-1, _PAIR)


def _order(digests: Iterable[bytes]) -> npt.NDArray[np.int64]:
    # Groups equal digests; within a group, the input order is kept.
    halves = _halves(digests)
    return np.lexsort((halves[:, 1], halves[:, 0]))


class CapturedListings(NamedTuple):
    """The merged listings of all sites, and the newest pages that look changed (`drift`)."""

    merged: MergedListings
    drift: tuple[Drift, ...]


class _Page(msgspec.Struct, frozen=True, gc=False):
    site: str
    url: str
    capture_id: str
    reading: bytes


def captured_listings(read: ReadCaptures, *, include_member_only: bool = False) -> CapturedListings:
    """Return the merged listings of all captured pages.

    The newest response of a URL determines the rows of its entries. If only an earlier response
    shows an entry, the entry keeps its row, because only a tombstone proves that it was removed. If
    the newest response looks changed, so that it cannot be read, an earlier response is used.
    """
    statuses = capture_statuses(read)
    merger = ListingMerger()
    joins = {site.name: PageJoin(site) for site in SITES.all().values()}
    drift: list[Drift] = []
    for batch in read.batches(_Page.__struct_fields__):
        for page in _pages(batch, statuses, CaptureStatus.NEWEST):
            reading = decoded(page.reading).page
            if reading is None:
                continue
            joins[page.site].add(reading, page.url, page.capture_id)
            if reading.drift is None:
                for row in reading.rows:
                    merger.add(row)
                continue
            drift.append(Drift(page.url, page.capture_id, reading.drift, reading.drift_reason))
    for batch in read.backwards(_Page.__struct_fields__, len(statuses)):
        for page in reversed(_pages(batch, statuses, CaptureStatus.EARLIER)):
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


def _pages(batch: Batch, statuses: npt.NDArray[np.int8], status: CaptureStatus) -> list[_Page]:
    mask = statuses[batch.start : batch.start + batch.rows.num_rows] == status
    if not mask.any():
        return []
    mask &= pc.is_valid(batch.rows.column("reading")).to_numpy(zero_copy_only=False)
    return batch.chosen(mask).records(_Page)
