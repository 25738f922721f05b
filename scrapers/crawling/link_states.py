"""The state of every iCloud link, read from captures alone."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pyarrow.compute as pc

from benchloom.records import ICloudRecord, ICloudState
from benchloom.withholding.captures import file_digest
from scrapers.crawling.read_parts import ReadCaptures, decoded
from scrapers.icloud.records import (
    ASSET_SITE,
    MOST_REDIRECTS,
    RECORD_SITE,
    RECORDS,
    REDIRECTS,
    RecordAnswer,
    asset_address,
    problem_of,
)
from scrapers.pages.addresses import join_address

NOT_CAPTURED = "the file is not captured yet"
_DAY = 10


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
    """What the captures of one link show, oldest first: `newest` is an answer and what it says."""

    days: tuple[str, ...] = ()
    missing_days: tuple[str, ...] = ()
    newest: str | None = None
    reading: bytes | None = None
    fault: str | None = None


class _File(NamedTuple):
    """The newest capture of a file, whether it begins as a shortcut does, where it redirects."""

    capture_id: str
    status: int
    body_digest: str
    body_bytes: int
    begins_well: bool
    target: str | None


class LinkState(msgspec.Struct, frozen=True):
    """A link's record, and the days (UTC, in order) on which iCloud was asked for it.

    The days are no part of the record: what is published must not depend on when it was fetched.
    """

    record: ICloudRecord
    checked_on: tuple[str, ...]


def link_states(read: ReadCaptures) -> Iterator[LinkState]:
    """The state of every link that was ever asked for, by id."""
    links: dict[str, _Link] = {}
    files: dict[str, _File] = {}
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for one in _icloud(read):
        if one.site == ASSET_SITE:
            if one.kind == "response":
                files[_place(one.url)] = _file(one)
        elif one.url.startswith(RECORDS):
            link = links.setdefault(one.url.removeprefix(RECORDS), _Link())
            _see(link, one)
            # Most links were asked for on the days on which others were.
            link.days = known.setdefault(link.days, link.days)
            link.missing_days = known.setdefault(link.missing_days, link.missing_days)
    for icloud_id in sorted(links):
        link = links.pop(icloud_id)
        yield LinkState(_state(icloud_id, link, files), link.days)


def _icloud(read: ReadCaptures) -> Iterator[_Seen]:
    for batch in read.batches(_Seen.__struct_fields__):
        site = batch.rows.column("site")
        mask = pc.or_(pc.equal(site, RECORD_SITE), pc.equal(site, ASSET_SITE))
        if mask.true_count:
            yield from batch.chosen(mask).records(_Seen)


def _see(link: _Link, one: _Seen) -> None:
    if one.kind == "fault":
        link.fault = one.fault
        return
    day = one.fetched_at[:_DAY]
    link.days = _with(link.days, day)
    link.fault = None
    # Any answer but 404 shows that the link lives: earlier 404s no longer count.
    link.missing_days = _with(link.missing_days, day) if one.status == 404 else ()
    if one.kind == "response":
        link.newest, link.reading = one.capture_id, one.reading


def _with(days: tuple[str, ...], day: str) -> tuple[str, ...]:
    return days if day in days else (*days, day)


def _file(one: _Seen) -> _File:
    begins_well = one.reading is not None and decoded(one.reading).begins_as_shortcut
    target = one.location if one.status in REDIRECTS else None
    if target is not None:
        target = join_address(one.url, target) or ""
    return _File(one.capture_id, one.status, one.body_digest, one.body_bytes, begins_well, target)


def _state(icloud_id: str, link: _Link, files: dict[str, _File]) -> ICloudRecord:
    said = None if link.reading is None else decoded(link.reading).record
    answer = said or RecordAnswer(state="failed", reason=link.fault)
    record = _record(icloud_id, link, answer)
    return _with_asset(record, answer, files) if answer.state == "found" else record


def _with_asset(
    record: ICloudRecord, answer: RecordAnswer, files: dict[str, _File]
) -> ICloudRecord:
    """The record with the first of its files that is captured whole."""
    problem: str | None = None
    for asset in answer.assets:
        address = asset_address(asset, record.icloud_id)
        if address is None:
            problem = problem or "the file's address is not on one of Apple's hosts"
            continue
        found = _final(files, address)
        if found is None or found.status != 200:
            continue
        problem = problem_of(found.body_bytes, asset.size, begins_well=found.begins_well)
        if problem is None:
            return msgspec.structs.replace(
                record,
                state="available",
                reason=None,
                asset=asset.field,
                asset_size=asset.size,
                source_digest=file_digest(found.body_digest),
                asset_capture=found.capture_id,
            )
    if problem is not None:
        return msgspec.structs.replace(record, state="bad_asset", reason=problem)
    return record


def _place(address: str) -> str:
    """An asset's address without the query, which only says until when it may be used."""
    return address.partition("?")[0]


def _final(files: dict[str, _File], address: str) -> _File | None:
    """The capture of a file, behind redirects."""
    found = files.get(_place(address))
    for _ in range(MOST_REDIRECTS):
        if found is None or found.target is None:
            break
        found = files.get(_place(found.target))
    return found


def _state_word(link: _Link, answer: RecordAnswer) -> tuple[ICloudState, str | None]:
    """The state that a record's answers alone show, and why."""
    if answer.state == "missing":
        if len(set(link.missing_days)) > 1:
            return "dead", "HTTP 404 on several days"
        return "missing", "HTTP 404, to be asked again another day"
    if answer.state == "found":
        return "no_asset", NOT_CAPTURED if answer.assets else "the record names no file"
    if answer.state == "deleted":
        return "deleted", answer.reason
    return ("private" if answer.state == "private" else "failed"), answer.reason


def _record(icloud_id: str, link: _Link, answer: RecordAnswer) -> ICloudRecord:
    """A link's record before its file is looked at."""
    state, reason = _state_word(link, answer)
    return ICloudRecord(
        icloud_id=icloud_id,
        state=state,
        reason=reason,
        name=answer.name,
        created=answer.created,
        modified=answer.modified,
        icon_color=answer.icon_color,
        icon_glyph=answer.icon_glyph,
        signing_status=answer.signing_status,
        signing_certificate_expires=answer.signing_certificate_expires,
        malicious_scanning_version=answer.malicious_scanning_version,
        record_change_tag=answer.record_change_tag,
        asset=None,
        asset_size=None,
        source_digest=None,
        record_capture=link.newest,
        asset_capture=None,
    )
