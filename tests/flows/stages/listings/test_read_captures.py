"""Check that the index of read captures equals reading, and that only new captures are read."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Capture, Rejected
from benchloom.normalise.opt_outs.tombstones import Tombstone
from benchloom.storage.stages import growing_bytes, part_path
from benchloom.storage.tables import BATCHES, write_table
from benchloom.storage.tables.reader import iter_records, read_rows, records_in
from benchmarks.captured_worlds import write_captures, write_run
from benchmarks.worlds import shortcuts
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.listings import read
from flows.stages.listings.download import listed_ids
from flows.stages.listings.read import read_captures
from scrapers.captures import CaptureStore
from scrapers.captures.layout import index_path
from scrapers.captures.tombstones import add_tombstones
from scrapers.crawl.link_states import link_states
from scrapers.settings import CrawlSettings
from tests.support.captured_tables import build_listings, current_listings, read_link_states
from tests.support.replica_crawls import WholeCrawl
from tests.support.stages import watch_shards

pytestmark = pytest.mark.long

SHORTCUTS = 16
FILES = ("listings.parquet", "icloud_records.parquet", "captures.parquet", "rejected.parquet")


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "PART_BYTES", 20_000)
    monkeypatch.setattr(read, "growing_bytes", partial(growing_bytes, most=10_000))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write captures of two crawls of a site; tests use copies."""
    captures = tmp_path_factory.mktemp("crawled")
    write_captures(SHORTCUTS, captures, runs=2)
    return captures


@pytest.fixture
def captures(crawled: Path, tmp_path: Path) -> Path:
    """Return a copy of the captures of two crawls."""
    return shutil.copytree(crawled, tmp_path / "captures")


def watched_stage(captures: Path, root: Path, archives: list[str]) -> AnyStage:
    """Return the stage; it appends the archive of each range that it reads to `archives`."""
    stage = read.prepare(captures).below(root)
    return watch_shards(stage, lambda number: archives.append(stage.reads.shards[number].warc))


def read_all(captures: Path, root: Path) -> tuple[Path, list[str]]:
    """Run the stage; return its folder and the archives that were read for it."""
    archives: list[str] = []
    stage = watched_stage(captures, root, archives)
    run_stage(stage)
    return stage.path, archives


def have_equal_tables(first: Path, second: Path) -> bool:
    names = [*FILES, "withheld.json"]
    return all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_tables_from_the_index_equal_tables_from_captures(
    whole_crawl: WholeCrawl, tmp_path: Path
) -> None:
    folder, archives = read_all(whole_crawl.captures, tmp_path / "parsed")
    assert len(archives) > len(set(archives)) > 20  # archives are read in several ranges
    cached = build_listings(whole_crawl.captures, tmp_path / "known", whole_crawl.settings, folder)
    fresh = build_listings(whole_crawl.captures, tmp_path / "fresh", whole_crawl.settings)
    assert cached.record == fresh.record
    assert have_equal_tables(tmp_path / "known", tmp_path / "fresh")
    ids = listed_ids(whole_crawl.captures, whole_crawl.settings)
    assert listed_ids(whole_crawl.captures, whole_crawl.settings, folder) == ids != []
    assert list(link_states(read_captures(folder))) == read_link_states(whole_crawl.captures) != []


def test_only_a_further_crawl_is_read(captures: Path, tmp_path: Path) -> None:
    first, archives = read_all(captures, tmp_path / "parsed")
    assert read_all(captures, tmp_path / "parsed") == (first, [])
    write_run(captures, 3, list(enumerate(data for _, data in shortcuts(3))))
    folder, archives = read_all(captures, tmp_path / "parsed")
    assert folder != first
    assert sorted(archives) == [
        "icloud-content/icloud-content-00003.warc.gz",
        "icloud/icloud-00003.warc.gz",
        "routinehub/routinehub-00003.warc.gz",
    ]
    build_listings(captures, tmp_path / "known", CrawlSettings(), folder)
    build_listings(captures, tmp_path / "fresh", CrawlSettings())
    assert have_equal_tables(tmp_path / "known", tmp_path / "fresh")


def test_archive_that_grew_is_read_again(captures: Path, tmp_path: Path) -> None:
    read_all(captures, tmp_path / "parsed")
    write_run(captures, 2, list(enumerate(data for _, data in shortcuts(SHORTCUTS)))[-2:])
    _, archives = read_all(captures, tmp_path / "parsed")
    assert {name.removesuffix(".warc.gz")[-5:] for name in archives} == {"00002"}


def test_new_captures_wait_for_the_next_run(captures: Path, tmp_path: Path) -> None:
    folder, _ = read_all(captures, tmp_path / "parsed")
    before = build_listings(captures, tmp_path / "before", CrawlSettings(), folder)
    write_run(captures, 3, list(enumerate(data for _, data in shortcuts(1))))
    meanwhile = build_listings(captures, tmp_path / "meanwhile", CrawlSettings(), folder)
    assert (meanwhile.key, meanwhile.sources) == (before.key, before.sources)
    assert have_equal_tables(tmp_path / "meanwhile", tmp_path / "before")
    assert current_listings(captures, tmp_path / "meanwhile", CrawlSettings()) is None


def test_damaged_archive_is_named_until_its_index_is_removed(
    captures: Path, tmp_path: Path
) -> None:
    archive = captures / "icloud" / "icloud-00001.warc.gz"
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 0xFF
    read_all(captures, tmp_path / "parsed")
    archive.write_bytes(data)
    with pytest.raises(RunError, match=r"icloud-00001\.warc\.gz at byte \d+: .* remove state/"):
        read_all(captures, tmp_path / "parsed")
    index_path(archive).unlink()
    folder, archives = read_all(captures, tmp_path / "parsed")
    assert set(archives) == {"icloud/icloud-00001.warc.gz"}
    build_listings(captures, tmp_path / "known", CrawlSettings(), folder)
    build_listings(captures, tmp_path / "fresh", CrawlSettings())
    assert have_equal_tables(tmp_path / "known", tmp_path / "fresh")
    rejected = iter_records(tmp_path / "known", "rejected", Rejected)
    assert [row.source_uri for row in rejected if row.reason == "bad_web_archive"] == [
        "icloud/icloud-00001.warc.gz"
    ]


def test_damaged_part_of_the_index_is_read_again(captures: Path, tmp_path: Path) -> None:
    folder, archives = read_all(captures, tmp_path / "parsed")
    part = part_path(folder, read.TABLE, 0, BATCHES)
    part.write_bytes(part.read_bytes()[:-1])
    write_run(captures, 3, list(enumerate(data for _, data in shortcuts(1))))
    _, again = read_all(captures, tmp_path / "parsed")
    assert archives[0] in again
    assert len(again) == 4


def test_missing_captures_give_no_rows(tmp_path: Path) -> None:
    folder, archives = read_all(tmp_path / "nothing", tmp_path / "parsed")
    assert archives == []
    mark = build_listings(tmp_path / "nothing", tmp_path / "out", CrawlSettings(), folder)
    assert mark.objects == 0


def test_irregular_files_are_rejected_without_opening_them(captures: Path, tmp_path: Path) -> None:
    build_listings(captures, tmp_path / "before", CrawlSettings())
    folder = captures / "routinehub"
    (folder / "a-folder.warc.gz").mkdir()
    (folder / "a-link.warc.gz").symlink_to(tmp_path / "nothing")
    os.mkfifo(folder / "a-pipe.warc.gz")  # opening it would block forever
    Path(os.fsdecode(bytes(folder) + b"/a-name-\xff.warc.gz")).write_bytes(b"")
    index_folder, _ = read_all(captures, tmp_path / "parsed")
    for name, cached_folder in (("known", index_folder), ("fresh", None)):
        build_listings(captures, tmp_path / name, CrawlSettings(), cached_folder)
        for file in FILES[:3]:
            assert (tmp_path / name / file).read_bytes() == (
                tmp_path / "before" / file
            ).read_bytes()
        rejected = iter_records(tmp_path / name, "rejected", Rejected)
        messages = {r.source_uri: r.message for r in rejected if r.reason == "bad_web_archive"}
        assert {uri: message.partition(": ")[2] for uri, message in messages.items()} == {
            "routinehub/a-folder.warc.gz": "a folder, not a file",
            "routinehub/a-link.warc.gz": "a link, not a file",
            "routinehub/a-name-\\udcff.warc.gz": "a name that is not text",
            "routinehub/a-pipe.warc.gz": "a special file, not a file",
        }


def _truncate(index: Path) -> None:
    index.write_bytes(index.read_bytes()[:4])


def _empty(index: Path) -> None:
    index.write_bytes(b"")


def _replace_by_another_table(index: Path) -> None:
    write_table("rejected", [Rejected("parse", "a", "b", "c")], index)


def _reverse_rows(index: Path) -> None:
    capture_rows = list(records_in(index, "captures", Capture))
    write_table("captures", reversed(capture_rows), index)


def _change_offsets(index: Path, kind: pa.DataType, add: int = 0) -> None:
    rows = read_rows(index)
    offsets = pa.array([offset.as_py() + add for offset in rows.column("offset")], pa.uint64())
    changed = rows.set_column(rows.schema.get_field_index("offset"), "offset", offsets.cast(kind))
    pq.write_table(changed, index)


def _turn_offsets_into_texts(index: Path) -> None:
    _change_offsets(index, pa.string())


def _move_offsets_past_the_end(index: Path) -> None:
    _change_offsets(index, pa.uint64(), 1 << 63)


def _flip_byte(index: Path) -> None:
    data = bytearray(index.read_bytes())
    data[len(data) // 4] ^= 0xFF
    index.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        _truncate,
        _empty,
        _replace_by_another_table,
        _reverse_rows,
        _move_offsets_past_the_end,
        _turn_offsets_into_texts,
        _flip_byte,
    ],
)
def test_damaged_index_is_named(
    captures: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    index = index_path(captures / "icloud" / "icloud-00001.warc.gz")
    damage(index)
    for build in (lambda: read_all(captures, tmp_path / "parsed"), lambda: CaptureStore(captures)):
        with pytest.raises(
            RunError, match=r"icloud-00001\.index\.parquet is damaged \(.*\); remove this index"
        ):
            build()
    index.unlink()
    read_all(captures, tmp_path / "parsed")


def test_listings_are_current_until_an_input_changes(captures: Path, tmp_path: Path) -> None:
    out, settings = tmp_path / "out", CrawlSettings()
    assert current_listings(captures, out, settings) is None
    mark = build_listings(captures, out, settings)
    existing_mark = current_listings(captures, out, settings)
    assert existing_mark is not None
    assert (existing_mark.key, existing_mark.rows, existing_mark.sources) == (
        mark.key,
        mark.rows,
        mark.sources,
    )
    assert current_listings(captures, out, CrawlSettings(opt_out=("0" * 32,))) is None
    tombstone = Tombstone(
        at="2026-01-01T00:00:00Z",
        site="routinehub",
        listing_id="listing:1",
        listing_url=None,
        icloud_id=None,
        reason="removed",
    )
    add_tombstones(captures, [tombstone])
    assert current_listings(captures, out, settings) is None
    build_listings(captures, out, settings)
    assert current_listings(captures, out, settings) is not None
    (out / "listings.parquet").write_bytes(b"")
    assert current_listings(captures, out, settings) is None
    build_listings(captures, out, settings)
    write_run(captures, 3, list(enumerate(data for _, data in shortcuts(1))))
    assert current_listings(captures, out, settings) is None
