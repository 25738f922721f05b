"""The state of every iCloud link, read from captures alone."""

import msgspec

from benchloom.records import Capture, ICloudRecord, ICloudState
from benchloom.withholding.captures import file_digest
from scrapers.captures import CaptureStore
from scrapers.crawling.readings import FreshReadings, Readings
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


class _Link(msgspec.Struct):
    """What the captures of one link show, oldest first."""

    days: list[str] = []
    missing_days: list[str] = []
    newest: Capture | None = None
    answer: RecordAnswer | None = None
    fault: str | None = None


class _File(msgspec.Struct):
    """The newest capture of a file, and whether it begins as a shortcut does."""

    capture: Capture
    begins_well: bool = False


class LinkState(msgspec.Struct, frozen=True):
    """A link's record, and the days (UTC, in order) on which iCloud was asked for it.

    The days are no part of the record: what is published must not depend on when it was fetched.
    """

    record: ICloudRecord
    checked_on: tuple[str, ...]


def icloud_records(store: CaptureStore, readings: Readings | None = None) -> list[ICloudRecord]:
    """One record per link that was ever asked for, by id."""
    return [state.record for state in link_states(store, readings)]


def link_states(store: CaptureStore, readings: Readings | None = None) -> list[LinkState]:
    """The state of every link that was ever asked for, by id.

    Without `readings` the bodies are read here.
    """
    readings = readings or FreshReadings(store)
    links: dict[str, _Link] = {}
    files: dict[str, _File] = {}
    captures = store.captures()
    for capture in captures:
        if capture.site == RECORD_SITE and capture.url.startswith(RECORDS):
            _see(links.setdefault(capture.url.removeprefix(RECORDS), _Link()), capture)
        elif capture.site == ASSET_SITE and capture.kind == "response":
            files[_place(capture.url)] = _File(capture)
    # In the order of captures, which is not that of ids: what is kept of them is read once.
    newest = {id(link.newest): link for link in links.values() if link.newest is not None}
    kept = {id(file.capture): file for file in files.values()}
    for capture in captures:
        if (link := newest.get(id(capture))) is not None:
            link.answer = readings.of(capture).record
        elif (file := kept.get(id(capture))) is not None:
            file.begins_well = readings.of(capture).begins_as_shortcut
    return [
        LinkState(_state(key, link, files), tuple(dict.fromkeys(link.days)))
        for key, link in sorted(links.items())
    ]


def _see(link: _Link, capture: Capture) -> None:
    if capture.kind == "fault":
        link.fault = capture.fault
        return
    link.days.append(capture.fetched_at[:10])
    link.fault = None
    if capture.status == 404:
        link.missing_days.append(capture.fetched_at[:10])
    else:
        # Any other answer shows that the link lives: earlier 404s no longer count.
        link.missing_days.clear()
    if capture.kind == "response":
        link.newest = capture


def _state(icloud_id: str, link: _Link, files: dict[str, _File]) -> ICloudRecord:
    answer = link.answer or RecordAnswer(state="failed", reason=link.fault)
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
        if found is None or found.capture.status != 200:
            continue
        length = found.capture.body_bytes
        problem = problem_of(length, asset.size, begins_well=found.begins_well)
        if problem is None:
            return msgspec.structs.replace(
                record,
                state="available",
                reason=None,
                asset=asset.field,
                asset_size=asset.size,
                source_digest=file_digest(found.capture),
                asset_capture=found.capture.capture_id,
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
        target = found.capture.header("Location") if found is not None else None
        if found is None or target is None or found.capture.status not in REDIRECTS:
            break
        found = files.get(_place(join_address(found.capture.url, target) or ""))
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
        record_capture=link.newest.capture_id if link.newest is not None else None,
        asset_capture=None,
    )
