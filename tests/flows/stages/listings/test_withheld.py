"""Check that opted-out, removed and unshared listings reach no table, whatever was captured."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Capture, Header, ICloudRecord, Listing, Rejected, Shortcut
from benchloom.normalise.opt_outs.tombstones import Tombstone
from benchloom.storage.tables.reader import iter_records
from demo.replica.shared import icloud_id
from demo.replica.words import title
from flows.run.runner import run_stage
from flows.stages.listings import read
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from scrapers.captures import CaptureWriter
from scrapers.captures.tombstones import add_tombstones, read_tombstones
from scrapers.sites import SITES, file_folders, holds_shortcut
from tests.support.captured_tables import build_listings
from tests.support.demo_world import SHORTCUTS
from tests.support.replica_crawls import WholeCrawl


class BuiltTables:
    """Tables made from captures, and from shortcut files beside them.

    Captures and files are read into the folder `stages`, where unchanged inputs are not read again.
    """

    def __init__(
        self,
        crawl: WholeCrawl,
        captures: Path,
        stages: Path,
        root: Path,
        opt_out: Sequence[str] = (),
    ) -> None:
        settings = msgspec.structs.replace(crawl.settings, opt_out=tuple(opt_out))
        self.listed = root / "listings"
        captures_read = read.prepare(captures).below(stages)
        run_stage(captures_read)
        listed = build_listings(captures, self.listed, settings, captures_read.path)
        inputs = [*file_folders(captures), SHORTCUTS]
        parse = parse_shortcuts.prepare(inputs, stages, accepts=holds_shortcut)
        parsed = run_stage(parse)
        self.stage = run_stage(normalise_shortcuts.prepare(parsed, listed, opt_out), root)
        self.folder = self.stage.path

    def shortcuts(self) -> list[Shortcut]:
        return list(iter_records(self.folder, "shortcuts", Shortcut))

    def listings(self) -> list[Listing]:
        return list(iter_records(self.listed, "listings", Listing))

    def reasons(self) -> dict[str, int]:
        return dict(self.stage.reasons)

    def bytes_of_tables(self) -> bytes:
        """Return every value of every published table as text."""
        records: dict[str, type[msgspec.Struct]] = {
            "listings": Listing,
            "icloud_records": ICloudRecord,
            "captures": Capture,
            "rejected": Rejected,
        }
        rows = [
            msgspec.json.encode(list(iter_records(self.listed, table, record)))
            for table, record in records.items()
        ]
        rows.append(msgspec.json.encode(self.shortcuts()))
        rows.append(msgspec.json.encode(list(iter_records(self.folder, "rejected", Rejected))))
        return b"\n".join(rows)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stages")


@pytest.fixture(scope="module")
def all_tables(whole_crawl: WholeCrawl, stages: Path) -> BuiltTables:
    return BuiltTables(whole_crawl, whole_crawl.captures, stages, stages / "everything")


def find_listing(built: BuiltTables, *, has_copy: bool) -> Listing:
    """Return a listing that is the only one of its shortcut.

    With `has_copy`, another shortcut has the same content. No site has a file with this content, as
    the file would stay at the address of its first download.
    """
    ids = [row.icloud_id for row in built.listings()]
    groups = {i: row.icloud_ids for row in built.shortcuts() for i in row.icloud_ids}
    rejected = iter_records(built.folder, "rejected", Rejected)
    messages_of_other_files = "".join(
        r.message for r in rejected if not r.source_uri.startswith("icloud-content/")
    )
    return next(
        row
        for row in built.listings()
        if row.icloud_id is not None
        and ids.count(row.icloud_id) == 1
        and (len(groups.get(row.icloud_id, ())) > 1) == has_copy
        and groups.get(row.icloud_id)
        and not any(shared in messages_of_other_files for shared in groups[row.icloud_id])
    )


def add_tombstone(captures: Path, row: Listing, reason: str = "removed") -> None:
    tombstone = Tombstone(
        at="2026-01-01T00:00:00Z",
        site=row.site,
        listing_id=row.listing_id,
        listing_url=row.listing_url,
        icloud_id=None,
        reason="removed" if reason == "removed" else "restored",
    )
    assert add_tombstones(captures, [tombstone]) == 1


def test_removed_listing_withholds_its_shortcut_until_it_returns(
    whole_crawl: WholeCrawl,
    captures_copy: Path,
    all_tables: BuiltTables,
    stages: Path,
    tmp_path: Path,
) -> None:
    row = find_listing(all_tables, has_copy=False)
    assert row.icloud_id is not None
    add_tombstone(captures_copy, row)
    assert row.listing_id in read_tombstones(captures_copy)
    built = BuiltTables(whole_crawl, captures_copy, stages, tmp_path / "buried")
    assert not [s for s in built.shortcuts() if row.icloud_id in s.icloud_ids]
    assert len(built.shortcuts()) == len(all_tables.shortcuts()) - 1
    assert built.reasons()["withheld"] == 1
    assert row.icloud_id.encode() not in built.bytes_of_tables()
    assert row.icloud_id.encode() in all_tables.bytes_of_tables()
    add_tombstone(captures_copy, row, "restored")
    restored = BuiltTables(whole_crawl, captures_copy, stages, tmp_path / "back")
    assert restored.bytes_of_tables() == all_tables.bytes_of_tables()


def test_removed_listing_keeps_a_shortcut_that_others_share(
    whole_crawl: WholeCrawl,
    captures_copy: Path,
    all_tables: BuiltTables,
    stages: Path,
    tmp_path: Path,
) -> None:
    row = find_listing(all_tables, has_copy=True)
    assert row.icloud_id is not None
    add_tombstone(captures_copy, row)
    built = BuiltTables(whole_crawl, captures_copy, stages, tmp_path / "buried")
    assert len(built.shortcuts()) == len(all_tables.shortcuts())
    assert row.icloud_id.encode() not in built.bytes_of_tables()


def test_error_page_instead_of_the_last_listing_withholds_shortcut(
    whole_crawl: WholeCrawl, captures_copy: Path, stages: Path, tmp_path: Path
) -> None:
    for site in SITES.names():
        if site != "routinehub":
            shutil.rmtree(captures_copy / site, ignore_errors=True)
    before = BuiltTables(whole_crawl, captures_copy, stages, tmp_path / "before")
    groups = {i: s.icloud_ids for s in before.shortcuts() for i in s.icloud_ids}
    row = next(r for r in before.listings() if len(groups.get(r.icloud_id or "", ())) == 1)
    assert {other.site for other in before.listings()} == {"routinehub"}
    with CaptureWriter(captures_copy, "routinehub", "routinehub-00099.warc.gz") as writer:
        headers = (Header("Content-Type", "text/html"),)
        body = b"<html><body>There is nothing here.</body></html>"
        address = str(row.listing_url)
        writer.response(address, (404, "Not Found"), headers, body, "2030-01-01T00:00:00Z")
    built = BuiltTables(whole_crawl, captures_copy, stages, tmp_path / "gone")
    assert len(built.listings()) == len(before.listings()) - 1
    assert str(row.icloud_id).encode() not in built.bytes_of_tables()
    assert groups[str(row.icloud_id)] not in {s.icloud_ids for s in built.shortcuts()}


def test_opt_out_by_link_covers_every_copy(
    whole_crawl: WholeCrawl, all_tables: BuiltTables, stages: Path, tmp_path: Path
) -> None:
    row = find_listing(all_tables, has_copy=True)
    link = f"https://www.icloud.com/shortcuts/{row.icloud_id}"
    (content,) = [s for s in all_tables.shortcuts() if row.icloud_id in s.icloud_ids]
    assert len(content.icloud_ids) > 1
    built = BuiltTables(whole_crawl, whole_crawl.captures, stages, tmp_path / "out", [link])
    assert content.shortcut_id not in {s.shortcut_id for s in built.shortcuts()}
    assert len(built.shortcuts()) == len(all_tables.shortcuts()) - 1
    assert built.reasons()["opted_out"] >= 2
    assert str(row.icloud_id).encode() not in built.bytes_of_tables()


def test_opt_out_by_shortcut_id_covers_files(
    whole_crawl: WholeCrawl, all_tables: BuiltTables, stages: Path, tmp_path: Path
) -> None:
    file_shortcut = next(s for s in all_tables.shortcuts() if not s.icloud_ids and s.action_count)
    built = BuiltTables(
        whole_crawl, whole_crawl.captures, stages, tmp_path / "out", [file_shortcut.shortcut_id]
    )
    assert file_shortcut.shortcut_id not in {s.shortcut_id for s in built.shortcuts()}
    assert len(built.shortcuts()) == len(all_tables.shortcuts()) - 1
    received = built.stage.objects
    assert received == all_tables.stage.objects
    assert received == len(built.shortcuts()) + sum(built.reasons().values())


def test_file_without_an_available_record_is_excluded(all_tables: BuiltTables) -> None:
    # One file has another size than its record states, so the record is not available.
    wrong = title(58, "en")
    assert all_tables.reasons()["unshared"] >= 1
    assert wrong not in {s.name for s in all_tables.shortcuts()}
    records = {
        r.icloud_id: r for r in iter_records(all_tables.listed, "icloud_records", ICloudRecord)
    }
    assert records[icloud_id(58)].state == "bad_asset"


def test_files_of_a_site_are_read_and_joined(all_tables: BuiltTables) -> None:
    rows = [row for row in all_tables.listings() if row.site == "sharecuts"]
    captures = {c.capture_id: c for c in iter_records(all_tables.listed, "captures", Capture)}
    assert rows
    for row in rows:
        assert row.link_capture is not None
        assert captures[row.link_capture].url == row.download_url
    uris = {s.source_uri.partition("/")[0] for s in all_tables.shortcuts()}
    assert "icloud-content" in uris
    rejected = iter_records(all_tables.folder, "rejected", Rejected)
    merged = [row for row in rejected if row.source_uri.startswith("sharecuts/")]
    remaining_shortcuts = [
        s for s in all_tables.shortcuts() if s.source_uri.startswith("sharecuts/")
    ]
    assert len(merged) + len(remaining_shortcuts) == len(rows)
    assert all(row.reason.startswith("duplicate") for row in merged)
