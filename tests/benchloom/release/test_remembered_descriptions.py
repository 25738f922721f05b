"""Tests of remembered descriptions: documents are equal with a full, empty or damaged store."""

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


def build_documents(folder: Path, rows: Rows, store: Path | None = None) -> dict[str, bytes]:
    """Return the document bytes of a release of these rows, built with a store or none."""
    shutil.rmtree(folder, ignore_errors=True)
    with remembering(store):
        release = build(folder, rows)
    content_by_file = contents(release)
    # The manifest contains the time of the build.
    return {
        name: content
        for name, content in content_by_file.items()
        if not name.startswith("manifest.")
    }


def with_new_listing(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows and a listing of a shortcut that had none."""
    new = {"listing_id": "listing:new", "name": "A new one", "icloud_id": icloud_id(2)}
    return [*rows, dict(rows[4]) | new]


@pytest.fixture(scope="module")
def filled_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that remembers the descriptions of one release."""
    folder = tmp_path_factory.mktemp("known")
    texts._long.clear()
    texts._scan_short.cache_clear()
    build_documents(folder / "first", {"listings": listings()}, folder / "store")
    return folder / "store"


@pytest.fixture
def store_copy(filled_store: Path, tmp_path: Path) -> Path:
    """A copy of the filled store that a test may change."""
    return shutil.copytree(filled_store, tmp_path / "store")


def test_documents_are_equal_with_and_without_a_store(tmp_path: Path, store_copy: Path) -> None:
    for rows in (listings(), with_new_listing(listings()), listings()[:-1], []):
        expected = build_documents(tmp_path / "alone", {"listings": rows})
        assert build_documents(tmp_path / "again", {"listings": rows}, store_copy) == expected
    assert expected.keys() > {"README.md", "report.html", "sample/index.html"}


def test_remembered_descriptions_are_not_computed_again(
    tmp_path: Path, store_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_keys: list[bytes] = []
    original_put = Memory.put

    def put(self: Memory, key: bytes, value: bytes = b"") -> None:
        stored_keys.append(key)
        original_put(self, key, value)

    monkeypatch.setattr(Memory, "put", put)
    build_documents(tmp_path / "again", {"listings": listings()}, store_copy)
    assert stored_keys == []
    build_documents(tmp_path / "more", {"listings": with_new_listing(listings())}, store_copy)
    assert stored_keys


def test_damaged_store_does_not_change_documents(tmp_path: Path, store_copy: Path) -> None:
    rows = {"listings": listings()}
    expected = build_documents(tmp_path / "alone", rows)
    for path in sorted(store_copy.iterdir()):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 4
        path.write_bytes(content)
    assert build_documents(tmp_path / "again", rows, store_copy) == expected
    assert build_documents(tmp_path / "once more", rows, store_copy) == expected


@pytest.mark.parametrize("categories", [[LATITUDE, LONGITUDE], ["Music", LATITUDE, LONGITUDE]])
def test_secret_split_over_two_cells_is_redacted_with_a_store(
    tmp_path: Path, store_copy: Path, categories: list[str]
) -> None:
    rows = listings()
    rows[7] |= {"categories": categories}
    expected = build_documents(tmp_path / "alone", {"listings": rows})
    for name in ("new", "known"):
        documents = build_documents(tmp_path / name, {"listings": rows}, store_copy)
        assert documents == expected
        assert b"[redacted:coordinates]" in documents["sample/listings.html"]
        together = f"{LATITUDE}, {LONGITUDE}".encode()
        assert not any(together in text for text in documents.values())


WORDS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "not stated", "Ж"]))
ROWS = st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, max_size=3)), max_size=12)


@settings(max_examples=40, deadline=None)
@given(files=st.lists(ROWS, min_size=1, max_size=4), added_files=st.lists(ROWS, max_size=1))
def test_remembered_counts_equal_those_of_all_rows(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[list[tuple[str | None, str | None, list[str | None]]]],
    added_files: list[list[tuple[str | None, str | None, list[str | None]]]],
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    # The second round removes one file and may add another.
    for current_files in (files, [*files[1:], *added_files]):
        rows = [row for file in current_files for row in file]
        tables = ReleaseTables(folder, tuple(write_release_files(folder, current_files)))
        with remembering(folder / "store"):
            table = TableSection(tables, "listings")
            values, lists = table.values("category"), table.values("categories")
            pairs = table.pairs("category", "tagline", letters=3)
            filled_count = table.filled("category")
            sizes = table.sizes("categories")
        assert values == Counter(name_of(category) for category, _, _ in rows)
        assert lists == Counter(name_of(name) for _, _, names in rows for name in names)
        assert pairs == Counter(
            (name_of(category)[:3], name_of(tagline)) for category, tagline, _ in rows
        )
        assert filled_count == sum(bool(category) for category, _, _ in rows)
        assert sizes == Counter(len(names) for _, _, names in rows)


def write_release_files(
    folder: Path, files: list[list[tuple[str | None, str | None, list[str | None]]]]
) -> Iterator[ReleaseFile]:
    """Write files of listings with some values and yield their manifest entries."""
    table = load_table("listings")
    schema = table.arrow_schema()
    for number, rows in enumerate(files):
        path = folder / "listings" / f"unsplit-{number:05d}-of-{len(files):05d}.parquet"
        records = [
            empty_row(schema) | {"category": category, "tagline": tagline, "categories": names}
            for category, tagline, names in rows
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


def empty_row(schema: pa.Schema) -> dict[str, Any]:
    """Return a row with an empty value in every column."""
    plain: dict[str, Any] = {"bool": False, "string": "", "int32": 0, "int64": 0, "double": 0.0}
    return {
        field.name: None if field.nullable else plain.get(str(field.type), []) for field in schema
    }
