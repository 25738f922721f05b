"""Check iCloud downloads: states of links, checked files, expiring addresses, no personal data."""

import plistlib
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchloom.core.identity import tagged_digest
from benchloom.storage.inputs import list_objects
from demo.replica.pages import icloud as icloud_pages
from demo.replica.server import running_replica
from demo.replica.settings import CONTACT, replica_settings
from demo.replica.shared import (
    DELETED,
    MISSING,
    NO_FILE,
    PRIVATE,
    WRONG_MAGIC,
    WRONG_SIZE,
    shared_shortcuts,
)
from flows.stages.listings.download import download_shortcuts, listed_ids
from parsers.shortcuts import parse_shortcut
from scrapers.captures import CaptureStore, captures_in
from scrapers.http.client import Client
from scrapers.icloud import Asset, asset_address, asset_problem, is_asset_host, read_record
from tests.support.captured_tables import read_icloud_records, read_link_states
from tests.support.politeness import impolite_requests
from tests.support.replica_crawls import DELAY, WholeCrawl

DAYS = ("2026-03-01T10:00:00.000000Z", "2026-03-01T22:00:00.000000Z", "2026-03-02T09:00:00.000000Z")


def ids_of(numbers: frozenset[int]) -> set[str]:
    return {shortcut.icloud_id for shortcut in shared_shortcuts() if shortcut.number in numbers}


def test_every_link_has_its_expected_state(whole_crawl: WholeCrawl) -> None:
    store = CaptureStore(whole_crawl.captures)
    records_by_id = {
        record.icloud_id: record for record in read_icloud_records(whole_crawl.captures)
    }
    assert len(records_by_id) == whole_crawl.download.links >= 200
    by_state = {
        "missing": MISSING,
        "deleted": DELETED,
        "private": PRIVATE,
        "no_asset": NO_FILE,
        "bad_asset": WRONG_SIZE | WRONG_MAGIC,
    }
    for state, numbers in by_state.items():
        named = {key for key, record in records_by_id.items() if record.state == state}
        assert named == ids_of(numbers) & set(records_by_id), state
    for shortcut in shared_shortcuts():
        record = records_by_id.get(shortcut.icloud_id)
        if record is None or not shortcut.is_available:
            continue
        assert record.state == "available"
        assert (record.name, record.asset, record.asset_size) == (
            shortcut.name,
            shortcut.field,
            len(shortcut.data),
        )
        assert record.source_digest == tagged_digest("file", shortcut.data)
        capture = store.by_id(record.asset_capture or "")
        assert capture is not None
        assert store.body(capture) == shortcut.data
        assert store.by_id(record.record_capture or "") is not None
    store.close()


def test_downloaded_shortcuts_parse_and_join_by_digest(whole_crawl: WholeCrawl) -> None:
    records = read_icloud_records(whole_crawl.captures)
    digests = {record.source_digest for record in records if record.state == "available"}
    parsed = 0
    with ExitStack() as stack:
        folder = whole_crawl.captures / "icloud-content"
        for source in list_objects(sorted(folder.glob("*.warc.gz")), stack):
            capture = source.capture
            if capture is None or capture.status != 200 or capture.url.endswith("robots.txt"):
                continue
            if tagged_digest("file", source.read()) in digests:
                row = parse_shortcut(source.read(), source.source_uri)
                assert row.source_digest in digests
                parsed += 1
    assert parsed >= 190


def test_downloads_are_polite_and_not_repeated(whole_crawl: WholeCrawl) -> None:
    log = whole_crawl.download_log
    assert impolite_requests(log, DELAY, CONTACT) == []
    assert max(Counter((request.host, request.path) for request in log).values()) == 1
    assert whole_crawl.second_download.requested == 0


def test_personal_data_is_not_stored(whole_crawl: WholeCrawl) -> None:
    store = CaptureStore(whole_crawl.captures, ("icloud",))
    mentioned = 0
    for capture in captures_in(whole_crawl.captures):
        if capture.site != "icloud":
            continue
        body = store.body(capture) if capture.kind == "response" else b""
        assert icloud_pages.PERSON.encode() not in body
        assert icloud_pages.DEVICE.encode() not in body
        mentioned += b"userRecordName" in body
    store.close()
    assert mentioned > 100
    assert all("PERSON" not in field for field in read_record(200, b"{}").__struct_fields__)


def test_members_only_links_are_not_downloaded(whole_crawl: WholeCrawl) -> None:
    ids = set(listed_ids(whole_crawl.captures, whole_crawl.settings))
    world = whole_crawl.world
    open_ids = {e.icloud_id for site in world.entries for e in world.expected(site)}
    assert ids <= open_ids
    members = {e.icloud_id for e in world.posted("matthewcassinelli") if e.member_only}
    assert members - open_ids
    assert not ids & (members - open_ids)


def test_missing_link_is_dead_after_a_second_day(tmp_path: Path) -> None:
    missing = next(iter(ids_of(MISSING)))
    private = next(iter(ids_of(PRIVATE)))
    states: list[dict[str, str]] = []
    request_counts: list[int] = []
    with running_replica() as replica:
        for day in (*DAYS, "2026-03-03T00:00:00.000000Z", "2026-03-04T00:00:00.000000Z"):
            settings = replica_settings(replica, 0.0)
            with Client(settings, now=lambda day=day: day) as client:  # type: ignore[misc]  # mypy does not infer the default
                report = download_shortcuts([missing, private], tmp_path, settings, client=client)
            request_counts.append(report.requested)
            states.append({r.icloud_id: r.state for r in read_icloud_records(tmp_path)})
    assert [state[missing] for state in states] == ["missing", "missing", "dead", "dead", "dead"]
    assert {state[private] for state in states} == {"private"}
    # A missing link is requested once a day on two days, and then never again.
    assert request_counts == [2, 0, 2, 0, 0]


def test_missing_link_that_returns_is_available(tmp_path: Path) -> None:
    shortcut = next(candidate for candidate in shared_shortcuts() if candidate.is_available)
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        replica.faults.add("www.icloud.com", "/shortcuts/api", "not_found", 1)
        for day, state in zip(DAYS, ("missing", "missing", "available"), strict=True):
            with Client(settings, now=lambda day=day: day) as client:  # type: ignore[misc]  # mypy does not infer the default
                download_shortcuts([shortcut.icloud_id], tmp_path, settings, client=client)
            link = read_link_states(tmp_path)[0]
            assert link.record.state == state
    assert link.checked_on == ("2026-03-01", "2026-03-02")


def test_expired_file_address_is_requested_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut = next(candidate for candidate in shared_shortcuts() if candidate.is_available)
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        replica.faults.add("cvws.icloud-content.com", "/B/", "not_found", 1)
        report = download_shortcuts([shortcut.icloud_id], tmp_path / "a", settings)
        assert report.states == {"available": 1}
        paths = [request.path for request in replica.log if "records" in request.path]
        assert len(paths) == 2
        monkeypatch.setitem(icloud_pages.LIFETIME, "seconds", -1.0)
        report = download_shortcuts([shortcut.icloud_id], tmp_path / "b", settings)
        assert report.states == {"expired": 1}


def test_refusal_by_icloud_is_no_private_shortcut(tmp_path: Path) -> None:
    ids = [shortcut.icloud_id for shortcut in shared_shortcuts() if shortcut.is_available][:5]
    with running_replica() as replica:
        replica.faults.add("www.icloud.com", "/shortcuts/api", "forbidden", -1)
        report = download_shortcuts(ids, tmp_path, replica_settings(replica, 0.0))
        assert report.refused is not None
        assert len([request for request in replica.log if "records" in request.path]) == 1


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://cvws.icloud-content.com/B/x/a?o=1", True),
        ("https://www.icloud.com/x", True),
        ("http://cvws.icloud-content.com/B/x", False),
        ("https://icloud-content.com.evil.example/B", False),
        ("https://evilicloud-content.com/B", False),
        ("https://cvws.icloud-content.com:8443/B", False),
        ("https://user@cvws.icloud-content.com/B", False),
        ("https://127.0.0.1/B", False),
        ("https://[bad/B", False),
        ("", False),
    ],
)
def test_files_are_only_fetched_from_apple(url: str, *, is_allowed: bool) -> None:
    assert is_asset_host(url) is is_allowed
    assert (asset_address(Asset("shortcut", url, 1), "0" * 32) is not None) is is_allowed


def test_file_name_is_filled_into_the_address() -> None:
    asset = Asset("shortcut", "https://cvws.icloud-content.com/B/x/${f}?o=1", 3)
    assert asset_address(asset, "ab") == "https://cvws.icloud-content.com/B/x/ab.shortcut?o=1"


def test_file_size_and_header_are_checked() -> None:
    data = plistlib.dumps({"WFWorkflowActions": []}, fmt=plistlib.FMT_BINARY)
    assert asset_problem(data, len(data)) is None
    assert asset_problem(data, None) is None
    assert "in the record" in str(asset_problem(data, len(data) + 1))
    assert "begin like a shortcut" in str(asset_problem(b"<html>", 6))


@pytest.mark.parametrize(
    ("status", "body", "state"),
    [
        (404, b"", "missing"),
        (404, b'{"error": true, "reason": "gone"}', "missing"),
        (200, b'{"error": true, "reason": "ACCESS_DENIED"}', "private"),
        (403, b'{"error": true, "reason": "no"}', "private"),
        (200, b'{"serverErrorCode": "BAD_REQUEST"}', "failed"),
        (200, b"<html>", "failed"),
        (200, b"[" * 5000, "failed"),
        (200, b'{"fields": 3}', "failed"),
        (200, b'{"fields": {"name": 4, "shortcut": {"value": [1]}}}', "found"),
        (
            200,
            b'{"fields": {"icon_color": {"value": -1}}, "created": {"timestamp": 1e400}}',
            "failed",
        ),
        (200, b'{"deleted": true, "fields": {}}', "deleted"),
    ],
)
def test_record_answers_have_states(status: int, body: bytes, state: str) -> None:
    assert read_record(status, body).state == state
