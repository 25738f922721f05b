"""Check files of read captures: every capture is in one batch, in order, within bounded memory."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Capture
from benchloom.core.records.captures import Header
from benchloom.storage.web_archive.archive_records import Damage
from scrapers.crawl import read_parts
from scrapers.crawl.read_parts import Damaged, ReadCaptures, decoded, write_read
from scrapers.crawl.readings import Reading
from scrapers.icloud import RecordAnswer
from tests.support.captured_tables import capture

NAMES = ("offset", "location", "is_file", "reading")


class Row(msgspec.Struct, frozen=True):
    offset: int
    location: str | None
    is_file: bool
    reading: bytes | None


def numbered_capture(number: int, site: str = "icloud-content", *headers: Header) -> Capture:
    url = f"https://files.example/{number}"
    return capture(
        capture_id=f"capture:{number}", site=site, url=url, headers=headers, offset=number
    )


def record_reading(number: int) -> Reading:
    return Reading(record=RecordAnswer(state="found", name="x" * number))


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReadCaptures:
    """Return files with 2,500 captures, with none, and with ten long readings."""
    monkeypatch.setattr(read_parts, "BYTES", 4_000)
    paths = [tmp_path / f"read-{number:05d}.arrow" for number in range(3)]
    file_captures = [(numbered_capture(number), None) for number in range(2_500)]
    write_read(paths[0], file_captures, Damaged("a/a.warc.gz", (Damage(7, 2, "no record"),)))
    write_read(paths[1], [], Damaged("b/b.warc.gz"))
    record_captures = [
        (
            numbered_capture(2_500 + number, "icloud", Header("LOCATION", f"/{number}")),
            record_reading(1_000),
        )
        for number in range(10)
    ]
    assert write_read(paths[2], record_captures, Damaged("c/c.warc.gz")) == 10
    return ReadCaptures(paths)


def test_every_capture_is_in_one_batch_in_order(parts: ReadCaptures) -> None:
    batches = list(parts.batches(NAMES))
    assert [batch.rows.num_rows for batch in batches] == [1024, 1024, 452, 4, 4, 2]
    rows = [row for batch in batches for row in batch.records(Row)]
    assert [row.offset for row in rows] == list(range(2_510))
    assert [batch.start for batch in batches] == [0, 1024, 2048, 2500, 2504, 2508]
    assert {(row.location, row.is_file, row.reading) for row in rows[:2_500]} == {
        (None, True, None)
    }
    for number, row in enumerate(rows[2_500:]):
        assert (row.location, row.is_file) == (f"/{number}", False)
        assert decoded(row.reading or b"") == record_reading(1_000)


def test_backward_batches_equal_forward_batches(parts: ReadCaptures) -> None:
    forwards = [(batch.start, batch.rows) for batch in parts.batches(NAMES)]
    assert [(batch.start, batch.rows) for batch in parts.backwards(NAMES, 2_510)] == forwards[::-1]


def test_damages_are_listed_by_archive(parts: ReadCaptures) -> None:
    assert list(parts.damages()) == [("a/a.warc.gz", Damage(7, 2, "no record"))]


def test_rows_of_a_batch_are_selected_by_mask(parts: ReadCaptures) -> None:
    batch = next(parts.batches(NAMES))
    mask = [number % 500 == 3 for number in range(1024)]
    assert [row.offset for row in batch.chosen(mask).records(Row)] == [3, 503, 1003]


def test_malformed_file_is_reported_by_name(tmp_path: Path) -> None:
    path = tmp_path / "read-00000.arrow"
    for content in (b"", b"ARROW1\0\0", b"nothing of the kind"):
        path.write_bytes(content)
        with pytest.raises(RunError, match=r"read-00000\.arrow"):
            list(ReadCaptures([path]).batches(NAMES))
