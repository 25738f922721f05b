"""This module determines the state of every iCloud link from captures alone."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pyarrow.compute as pc

from benchloom.core.records import ICloudRecord, ICloudState
from benchloom.normalise.opt_outs.captures import file_digest
from scrapers.crawl.read_parts import ReadCaptures, decoded
from scrapers.icloud import (
    MAX_REDIRECTS,
    RECORDS,
    REDIRECTS,
    RecordAnswer,
    asset_address,
    problem_of,
)
from scrapers.pages.addresses import join_address
from scrapers.sites import ASSET_SITE, RECORD_SITE

NOT_CAPTURED = "the file is not captured yet"
_DAY = 10
_OF_RECORD = set(RecordAnswer.__struct_fields__) - {"state", "reason", "assets"}


class _Seen(msgspec.Struct, frozen=True, gc=False):
    site: str
    kind: str
    url: str
    capture_id: str
    fetched_at: str
    status: int
    fault: str | None
    body_digest: str
    body_bytes: int
    location: str | None
    reading: bytes | None


class _Link(msgspec.Struct):
    # The captures of one link; `newest` is the id of its newest response.
    days: tuple[str, ...] = ()
    missing_days: tuple[str, ...] = ()
    newest: str | None = None
    reading: bytes | None = None
    fault: str | None = None


class _File(NamedTuple):
    # The newest capture of a file; `is_shortcut` says whether it starts like a shortcut.
    capture_id: str
    status: int
    body_digest: str
    body_bytes: int
    is_shortcut: bool
    target: str | None


class LinkState(msgspec.Struct, frozen=True):
    """The record of an iCloud link, and the days in UTC on which the link was requested.

    The days are not a part of the record, because published data must not depend on when it was
    fetched.
    """

    record: ICloudRecord
    checked_on: tuple[str, ...]


def link_states(read: ReadCaptures) -> Iterator[LinkState]:
    """Yield the state of every iCloud link that was ever requested, sorted by iCloud id."""
    links: dict[str, _Link] = {}
    files: dict[str, _File] = {}
    shared_days: dict[tuple[str, ...], tuple[str, ...]] = {}
    for capture in _icloud(read):
        if capture.site == ASSET_SITE:
            if capture.kind == "response":
                files[_without_query(capture.url)] = _file(capture)
        elif capture.url.startswith(RECORDS):
            link = links.setdefault(capture.url.removeprefix(RECORDS), _Link())
            _see(link, capture)
            # Most links were requested on the same days; sharing the tuples saves memory.
            link.days = shared_days.setdefault(link.days, link.days)
            link.missing_days = shared_days.setdefault(link.missing_days, link.missing_days)
    for icloud_id in sorted(links):
        link = links.pop(icloud_id)
        yield LinkState(_state(icloud_id, link, files), link.days)


def _icloud(read: ReadCaptures) -> Iterator[_Seen]:
    for batch in read.batches(_Seen.__struct_fields__):
        site = batch.rows.column("site")
        mask = pc.or_(pc.equal(site, RECORD_SITE), pc.equal(site, ASSET_SITE))
        if mask.true_count:
            yield from batch.chosen(mask).records(_Seen)


def _see(link: _Link, capture: _Seen) -> None:
    if capture.kind == "fault":
        link.fault = capture.fault
        return
    day = capture.fetched_at[:_DAY]
    link.days = _with(link.days, day)
    link.fault = None
    # After any status but 404 the link exists: earlier 404s no longer count.
    link.missing_days = _with(link.missing_days, day) if capture.status == 404 else ()
    if capture.kind == "response":
        link.newest, link.reading = capture.capture_id, capture.reading


def _with(days: tuple[str, ...], day: str) -> tuple[str, ...]:
    return days if day in days else (*days, day)


def _file(capture: _Seen) -> _File:
    is_shortcut = capture.reading is not None and decoded(capture.reading).begins_as_shortcut
    target = capture.location if capture.status in REDIRECTS else None
    if target is not None:
        target = join_address(capture.url, target) or ""
    return _File(
        capture.capture_id,
        capture.status,
        capture.body_digest,
        capture.body_bytes,
        is_shortcut,
        target,
    )


def _state(icloud_id: str, link: _Link, files: dict[str, _File]) -> ICloudRecord:
    details = None if link.reading is None else decoded(link.reading).record
    answer = details or RecordAnswer(state="failed", reason=link.fault)
    record = _record(icloud_id, link, answer)
    return _with_asset(record, answer, files) if answer.state == "found" else record


def _with_asset(
    record: ICloudRecord, answer: RecordAnswer, files: dict[str, _File]
) -> ICloudRecord:
    problem: str | None = None
    for asset in answer.assets:
        address = asset_address(asset, record.icloud_id)
        if address is None:
            problem = problem or "the file's address is not on one of Apple's hosts"
            continue
        file = _final(files, address)
        if file is None or file.status != 200:
            continue
        problem = problem_of(file.body_bytes, asset.size, is_shortcut=file.is_shortcut)
        if problem is None:
            return msgspec.structs.replace(
                record,
                state="available",
                reason=None,
                asset=asset.field,
                asset_size=asset.size,
                source_digest=file_digest(file.body_digest),
                asset_capture=file.capture_id,
            )
    if problem is not None:
        return msgspec.structs.replace(record, state="bad_asset", reason=problem)
    return record


def _without_query(address: str) -> str:
    # The query only contains an expiry time.
    return address.partition("?")[0]


def _final(files: dict[str, _File], address: str) -> _File | None:
    file = files.get(_without_query(address))
    for _ in range(MAX_REDIRECTS):
        if file is None or file.target is None:
            break
        file = files.get(_without_query(file.target))
    return file


def _state_word(link: _Link, answer: RecordAnswer) -> tuple[ICloudState, str | None]:
    if answer.state == "missing":
        if len(set(link.missing_days)) > 1:
            return "dead", "HTTP 404 on several days"
        return "missing", "HTTP 404; requested again another day"
    if answer.state == "found":
        return "no_asset", NOT_CAPTURED if answer.assets else "the record has no file"
    if answer.state == "deleted":
        return "deleted", answer.reason
    return ("private" if answer.state == "private" else "failed"), answer.reason


def _record(icloud_id: str, link: _Link, answer: RecordAnswer) -> ICloudRecord:
    state, reason = _state_word(link, answer)
    return ICloudRecord(
        icloud_id=icloud_id,
        state=state,
        reason=reason,
        **{name: getattr(answer, name) for name in _OF_RECORD},
        asset=None,
        asset_size=None,
        source_digest=None,
        record_capture=link.newest,
        asset_capture=None,
    )
