"""The state of every iCloud link, read from captures alone."""

import msgspec

from benchloom.identity import tagged_digest
from benchloom.records import Capture, ICloudRecord, ICloudState
from scrapers.captures import CaptureStore
from scrapers.icloud.records import (
    ASSET_SITE,
    MOST_REDIRECTS,
    RECORD_SITE,
    RECORDS,
    REDIRECTS,
    RecordAnswer,
    asset_address,
    asset_problem,
    read_record,
)
from scrapers.pages.addresses import join_address

NOT_CAPTURED = "the file is not captured yet"


class _Link(msgspec.Struct):
    """What the captures of one link show, oldest first."""

    days: list[str] = []
    missing_days: list[str] = []
    newest: Capture | None = None
    fault: str | None = None


class LinkState(msgspec.Struct, frozen=True):
    """A link's record, and the days (UTC, in order) on which iCloud was asked for it.

    The days are no part of the record: what is published must not depend on when it was fetched.
    """

    record: ICloudRecord
    checked_on: tuple[str, ...]


def icloud_records(store: CaptureStore) -> list[ICloudRecord]:
    """One record per link that was ever asked for, by id."""
    return [state.record for state in link_states(store)]


def link_states(store: CaptureStore) -> list[LinkState]:
    """The state of every link that was ever asked for, by id."""
    links: dict[str, _Link] = {}
    assets: dict[str, Capture] = {}
    for capture in store.captures():
        if capture.site == RECORD_SITE and capture.url.startswith(RECORDS):
            _see(links.setdefault(capture.url.removeprefix(RECORDS), _Link()), capture)
        elif capture.site == ASSET_SITE and capture.kind == "response":
            assets[_place(capture.url)] = capture
    return [
        LinkState(_state(store, key, link, assets), tuple(dict.fromkeys(link.days)))
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


def _state(
    store: CaptureStore, icloud_id: str, link: _Link, assets: dict[str, Capture]
) -> ICloudRecord:
    if link.newest is None:
        return _record(icloud_id, link, RecordAnswer(state="failed", reason=link.fault))
    answer = read_record(link.newest.status, store.body(link.newest))
    record = _record(icloud_id, link, answer)
    return _with_asset(store, record, answer, assets) if answer.state == "found" else record


def _with_asset(
    store: CaptureStore, record: ICloudRecord, answer: RecordAnswer, assets: dict[str, Capture]
) -> ICloudRecord:
    """The record with the first of its files that is captured whole."""
    problem: str | None = None
    for asset in answer.assets:
        address = asset_address(asset, record.icloud_id)
        if address is None:
            problem = problem or "the file's address is not on one of Apple's hosts"
            continue
        found = _final(assets, address)
        if found is None or found.status != 200:
            continue
        body = store.body(found)
        problem = asset_problem(body, asset.size)
        if problem is None:
            return msgspec.structs.replace(
                record,
                state="available",
                reason=None,
                asset=asset.field,
                asset_size=asset.size,
                source_digest=tagged_digest("file", body),
                asset_capture=found.capture_id,
            )
    if problem is not None:
        return msgspec.structs.replace(record, state="bad_asset", reason=problem)
    return record


def _place(address: str) -> str:
    """An asset's address without the query, which only says until when it may be used."""
    return address.partition("?")[0]


def _final(assets: dict[str, Capture], address: str) -> Capture | None:
    """The capture of an asset, behind redirects."""
    found = assets.get(_place(address))
    for _ in range(MOST_REDIRECTS):
        target = found.header("Location") if found is not None else None
        if found is None or target is None or found.status not in REDIRECTS:
            break
        found = assets.get(_place(join_address(found.url, target) or ""))
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
