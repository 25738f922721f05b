"""Remembered descriptions: the same documents, with a full, an empty or a damaged store."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.normalise.redaction import texts
from benchloom.release.descriptions import ReleaseTables
from benchloom.release.descriptions.counting import TableSection, name_of
from benchloom.release.manifest import ReleaseFile
from benchloom.storage.memory import Memory, remembering
from benchloom.storage.seals import file_digest
from benchloom.storage.tables import TableWriter, load_table
from tests.support.folders import contents
from tests.support.samples.described import build, icloud_id, listings

pytestmark = pytest.mark.long

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
LATITUDE, LONGITUDE = "52.520008", "13.404954"


def described(folder: Path, rows: Rows, store: Path | None = None) -> dict[str, bytes]:
    """The files of a release of some rows; what is known lies in `store`."""
    shutil.rmtree(folder, ignore_errors=True)
    with remembering(store):
        release = build(folder, rows)
    content_by_file = contents(release)
    # It tells when it was made.
    return {
        name: content
        for name, content in content_by_file.items()
        if not name.startswith("manifest.")
    }


def more(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One listing more, of a shortcut that had none."""
    new = {"listing_id": "listing:new", "name": "A new one", "icloud_id": icloud_id(2)}
    return [*rows, dict(rows[4]) | new]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of what a release told."""
    folder = tmp_path_factory.mktemp("known")
    texts._long.clear()
    texts._scan_short.cache_clear()
    described(folder / "first", {"listings": listings()}, folder / "store")
    return folder / "store"


@pytest.fixture
def known(store: Path, tmp_path: Path) -> Path:
    return shutil.copytree(store, tmp_path / "store")


def test_documents_are_the_same_with_what_is_known_and_without(tmp_path: Path, known: Path) -> None:
    for rows in (listings(), more(listings()), listings()[:-1], []):
        alone = described(tmp_path / "alone", {"listings": rows})
        assert described(tmp_path / "again", {"listings": rows}, known) == alone
    assert alone.keys() > {"README.md", "report.html", "sample/index.html"}


def test_what_is_known_is_not_made_again(
    tmp_path: Path, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_keys: list[bytes] = []
    original_put = Memory.put

    def put(self: Memory, key: bytes, value: bytes = b"") -> None:
        stored_keys.append(key)
        original_put(self, key, value)

    monkeypatch.setattr(Memory, "put", put)
    described(tmp_path / "again", {"listings": listings()}, known)
    assert stored_keys == []
    described(tmp_path / "more", {"listings": more(listings())}, known)
    assert stored_keys


def test_a_damaged_store_only_costs_time(tmp_path: Path, known: Path) -> None:
    rows = {"listings": listings()}
    alone = described(tmp_path / "alone", rows)
    for path in sorted(known.iterdir()):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 4
        path.write_bytes(content)
    assert described(tmp_path / "again", rows, known) == alone
    assert described(tmp_path / "once more", rows, known) == alone


@pytest.mark.parametrize("categories", [[LATITUDE, LONGITUDE], ["Music", LATITUDE, LONGITUDE]])
def test_what_two_cells_hold_together_is_found_each_time(
    tmp_path: Path, known: Path, categories: list[str]
) -> None:
    rows = listings()
    rows[7] |= {"categories": categories}
    alone = described(tmp_path / "alone", {"listings": rows})
    for name in ("new", "known"):
        documents = described(tmp_path / name, {"listings": rows}, known)
        assert documents == alone
        assert b"[redacted:coordinates]" in documents["sample/listings.html"]
        together = f"{LATITUDE}, {LONGITUDE}".encode()
        assert not any(together in text for text in documents.values())


WORDS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "not stated", "Ж"]))
ROWS = st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, max_size=3)), max_size=12)


@settings(max_examples=40, deadline=None)
@given(files=st.lists(ROWS, min_size=1, max_size=4), again=st.lists(ROWS, max_size=1))
def test_counts_of_files_are_those_of_all_rows(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[list[tuple[str | None, str | None, list[str | None]]]],
    again: list[list[tuple[str | None, str | None, list[str | None]]]],
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    for held in (files, [*files[1:], *again]):  # one file is gone, and maybe one is new
        rows = [row for file in held for row in file]
        tables = ReleaseTables(folder, tuple(written(folder, held)))
        with remembering(folder / "store"):
            table = TableSection(tables, "listings")
            values, lists = table.values("category"), table.values("categories")
            pairs = table.pairs("category", "tagline", letters=3)
            filled_count = table.filled("category")
            sizes = table.sizes("categories")
        assert values == Counter(name_of(one) for one, _, _ in rows)
        assert lists == Counter(name_of(one) for _, _, many in rows for one in many)
        assert pairs == Counter((name_of(one)[:3], name_of(two)) for one, two, _ in rows)
        assert filled_count == sum(bool(one) for one, _, _ in rows)
        assert sizes == Counter(len(many) for _, _, many in rows)


def written(
    folder: Path, files: list[list[tuple[str | None, str | None, list[str | None]]]]
) -> Iterator[ReleaseFile]:
    """Files of listings with some values."""
    table = load_table("listings")
    schema = table.arrow_schema()
    for number, rows in enumerate(files):
        path = folder / "listings" / f"unsplit-{number:05d}-of-{len(files):05d}.parquet"
        records = [
            empty(schema) | {"category": one, "tagline": two, "categories": many}
            for one, two, many in rows
        ]
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        with TableWriter(table, path) as writer:
            writer.add_table(pa.Table.from_pylist(records, schema=schema))
        yield ReleaseFile(
            path=path.relative_to(folder).as_posix(),
            bytes=path.stat().st_size,
            sha256=file_digest(path),
            table="listings",
            rows=len(rows),
        )


def empty(schema: pa.Schema) -> dict[str, Any]:
    """A row that tells nothing."""
    plain: dict[str, Any] = {"bool": False, "string": "", "int32": 0, "int64": 0, "double": 0.0}
    return {
        field.name: None if field.nullable else plain.get(str(field.type), []) for field in schema
    }
