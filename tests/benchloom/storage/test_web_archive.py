"""Tests of damaged web archives: every whole record is read, every damaged range is reported."""

import gzip
import io
import random
import time
import zlib
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from benchloom.storage.inputs import SourceObject, list_objects
from benchloom.storage.web_archive import StoredRecord, archive_records, iter_records, read_record
from benchloom.storage.web_archive.archive_records import Damage
from scrapers.captures import ArchiveIndex, CaptureStore, CaptureWriter, captures_in
from scrapers.captures.layout import index_path
from tests.benchloom.storage.inputs.test_reached import content
from tests.support.soak import samples

RECORDS = 44
WHEN = "2026-02-03T04:05:06Z"


def record_bytes(*, compressed: bool, bodies: Iterable[bytes] | None = None) -> list[bytes]:
    """Return the bytes of each record of an archive."""
    chosen = bodies or [f"page {n} ".encode() * (20 * n + 1) for n in range(RECORDS)]
    records: list[bytes] = []
    for number, body in enumerate(chosen):
        out = io.BytesIO()
        writer = WARCWriter(out, gzip=compressed)
        address = f"https://site.example/{number}"
        fields = {"WARC-Date": WHEN}
        record = writer.create_warc_record(
            address, "resource", io.BytesIO(body), len(body), warc_headers_dict=fields
        )
        writer.write_record(record)
        records.append(out.getvalue())
    return records


def read_archive(path: Path, data: bytes) -> tuple[list[str], list[Damage]]:
    """Write an archive; return the numbers of its readable records and its damaged ranges."""
    path.write_bytes(data)
    urls: list[str] = []
    damages: list[Damage] = []
    position = 0
    with path.open("rb") as file:
        for record in iter_records(path):
            if isinstance(record, Damage):
                assert record.offset == position
                position += record.length
                damages.append(record)
                continue
            capture = record.capture
            assert capture.offset == position
            position += capture.length
            assert read_record(file, path.name, capture.offset).body == record.body
            urls.append(capture.url.rsplit("/", 1)[-1])
    assert position == len(data)
    return urls, damages


@pytest.mark.parametrize("compressed", [True, False])
def test_flipped_bit_damages_at_most_one_record(tmp_path: Path, compressed: bool) -> None:
    records = record_bytes(compressed=compressed)
    whole = b"".join(records)
    path = tmp_path / ("a.warc.gz" if compressed else "a.warc")
    all_numbers = [str(n) for n in range(RECORDS)]
    assert read_archive(path, whole) == (all_numbers, [])
    chance = random.Random(11)
    for position in [0, 1, 2, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(150))]:
        broken = bytearray(whole)
        broken[position] ^= 1 << chance.randrange(8)
        urls, damages = read_archive(path, bytes(broken))
        damaged_number = next(
            n for n in range(RECORDS) if position < sum(map(len, records[: n + 1]))
        )
        # Without compression, a changed bit in the name or date of a header is not noticed.
        missing = [n for n in all_numbers if n not in urls]
        assert missing in ([], [str(damaged_number)]), position
        assert len(damages) <= 1
        assert len(urls) + len(damages) == RECORDS, position


@pytest.mark.parametrize("compressed", [True, False])
def test_noise_or_a_gap_damages_only_its_range(tmp_path: Path, compressed: bool) -> None:
    records = record_bytes(compressed=compressed)
    path = tmp_path / ("a.warc.gz" if compressed else "a.warc")
    noise = random.Random(3).randbytes(70_000)
    data = b"".join([*records[:5], noise, *records[5:9], records[9][:-40], *records[10:]])
    urls, damages = read_archive(path, data)
    assert urls == [str(n) for n in range(RECORDS) if n != 9]
    assert len(damages) == 2
    urls, damages = read_archive(path, b"".join(records)[:-9])
    assert (len(urls), len(damages)) == (RECORDS - 1, 1)


def test_wrong_length_does_not_hide_other_records(tmp_path: Path) -> None:
    records = record_bytes(compressed=False)
    length = len(records[4]) + len(records[5])
    for length_text in (
        b"0",
        b"7",
        str(length).encode(),
        b"999999999999",
        b"-1",
        b"",
        "²".encode(),
    ):
        lines = records[3].split(b"\r\n")
        at = next(n for n, line in enumerate(lines) if line.startswith(b"Content-Length"))
        lines[at] = b"Content-Length: " + length_text
        data = b"".join([*records[:3], b"\r\n".join(lines), *records[4:]])
        urls, damages = read_archive(tmp_path / "a.warc", data)
        assert urls == [str(n) for n in range(RECORDS) if n != 3], length_text
        assert len(damages) == 1
    inside = [gzip.compress(records[3].replace(b"Content-Length: ", b"Content-Length: 9"))]
    others = [gzip.compress(record) for record in records]
    urls, damages = read_archive(
        tmp_path / "a.warc.gz", b"".join([*others[:3], *inside, *others[4:]])
    )
    assert urls == [str(n) for n in range(RECORDS) if n != 3]
    assert "early" in damages[0].message


def test_body_that_differs_from_its_digest_is_reported(tmp_path: Path) -> None:
    record = record_bytes(compressed=False)[3]
    forged = record.replace(b"page 3 page", b"page 4 page", 1)
    for path, data in (
        (tmp_path / "a.warc", forged),
        (tmp_path / "b.warc.gz", gzip.compress(forged)),
    ):
        urls, damages = read_archive(path, data)
        assert urls == []
        assert "digest" in damages[0].message


def test_bombs_and_false_record_starts_take_bounded_time(tmp_path: Path) -> None:
    good = record_bytes(compressed=True)
    bomb = gzip.compress(b"WARC/1.1\r\nWARC-Type: resource\r\n" + b"\0" * (200 << 20), 9)
    empty = gzip.compress(b"")
    noise = random.Random(4).randbytes(1 << 20)
    nested = gzip.compress(b"WARC/1.1\r\nContent-Length: 9999999\r\n\r\n" + noise)[:-9]
    start = time.process_time()
    for middle in (
        bomb,
        b"\x1f\x8b\x08" * samples(250_000, 700_000),
        empty * samples(8_000, 20_000),
        nested * 20,
        b"WARC/1." * samples(100_000, 300_000),
    ):
        urls, damages = read_archive(
            tmp_path / "a.warc.gz", b"".join([*good[:9], middle, *good[9:]])
        )
        assert urls == [str(n) for n in range(RECORDS)]
        assert damages
    lines = b"\nWARC/1.1\r\nContent-Length: 99999999\r\n\r\n" * samples(8_000, 20_000)
    plain = record_bytes(compressed=False)
    urls, _ = read_archive(tmp_path / "a.warc", b"".join([*plain[:9], lines, *plain[9:]]))
    assert urls[:8] == [str(n) for n in range(8)]
    assert urls[-1] == str(RECORDS - 1)
    assert time.process_time() - start < 30


def test_too_much_damage_ends_the_reading_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_records, "_MIN_WORK", 0)
    monkeypatch.setattr(archive_records, "_WORK_PER_BYTE", 1)
    good = record_bytes(compressed=True, bodies=[b"x"])
    urls, damages = read_archive(
        tmp_path / "a.warc.gz", good[0] + b"\x1f\x8b\x08\0" * 9000 + good[0]
    )
    assert urls == ["0"]
    assert "too much damage" in damages[-1].message


def test_record_over_the_size_limit_is_damage(tmp_path: Path) -> None:
    bodies = [b"a", zlib.compress(random.Random(1).randbytes(300_000)), b"c"]
    for compressed, name in ((True, "a.warc.gz"), (False, "a.warc")):
        path = tmp_path / name
        path.write_bytes(b"".join(record_bytes(compressed=compressed, bodies=bodies)))
        records = list(iter_records(path, limit=200_000))
        assert [isinstance(f, StoredRecord) for f in records] == [True, False, True]


def _unreadable_objects(objects: list[SourceObject]) -> list[tuple[str, str]]:
    """Return reason and location of each object that cannot be read."""
    assert len(objects) == RECORDS + 2
    return [
        (reason, source.source_uri.rpartition("!")[2])
        for source in objects
        if isinstance(reason := content(source), str)
    ]


def test_damaged_ranges_are_listed_as_unreadable_objects(tmp_path: Path) -> None:
    records = record_bytes(compressed=True)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join([*records[:2], b"damage", *records[2:4], b"more", *records[4:]]))
    with ExitStack() as stack:
        reasons = _unreadable_objects(list_objects([path], stack))
    offsets = [sum(map(len, records[:2])), sum(map(len, records[:4])) + 6]
    assert sorted(reasons, key=lambda reason_and_range: len(reason_and_range[1])) == [
        ("bad_web_archive", f"bytes={offsets[0]}+6"),
        ("bad_web_archive", f"bytes={offsets[1]}+4"),
    ]


def test_restarted_writer_keeps_records_after_damage(tmp_path: Path) -> None:
    with CaptureWriter(tmp_path, "site", "site-00001.warc.gz") as writer:
        for number in range(9):
            writer.response(f"https://s.example/{number}", (200, "OK"), (), b"page" * 50, WHEN)
    path = tmp_path / "site" / "site-00001.warc.gz"
    captures = [*writer.earlier, *captures_in(tmp_path)]
    broken = bytearray(path.read_bytes())
    broken[captures[4].offset + 100] ^= 4
    path.write_bytes(bytes(broken) + b"\x1f\x8b\x08 cut")
    index_path(path).unlink()
    index = ArchiveIndex(tmp_path, "site/site-00001.warc.gz")
    assert list(index) == captures[:4] + captures[5:]
    assert [damage.offset for damage in index.damages] == [captures[4].offset]
    with CaptureWriter(tmp_path, "site", path.name) as writer:
        assert writer.recovered_bytes == 7
        assert writer.earlier == captures[:4] + captures[5:]
        new_record = writer.response("https://s.example/4", (200, "OK"), (), b"page" * 50, WHEN)
    index_path(path).unlink()
    store = CaptureStore(tmp_path)
    assert list(captures_in(tmp_path)) == [*captures[:4], *captures[5:], new_record.capture]
    assert store.body(new_record.capture) == b"page" * 50
    store.close()
