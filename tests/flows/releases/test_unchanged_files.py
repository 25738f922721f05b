"""Check that a second release check reads only files that changed since the first check."""

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError
from benchloom.release import check_release, read_manifest
from benchloom.release.descriptions.loading import card_configs
from benchloom.release.gates import documents, view
from benchloom.release.gates import rows as row_rules
from benchloom.storage.memory import remembering
from benchloom.storage.tables import load_table, table_parts
from flows.run.processes.workers import mapping
from flows.stages.release import FURTHER_GATES
from tests.flows.releases.test_gates import file_entry
from tests.support.samples.small_release import forge, replace_entry
from tests.support.soak import samples

Row = dict[str, Any]
Reads = dict[str, set[str]]
"""Decoded leaf columns by table and file name."""


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Record which Parquet columns are decoded from now on, by file."""
    columns_by_file: Reads = defaultdict(set)
    original_init = pq.ParquetFile.__init__
    original_read_row_group = pq.ParquetFile.read_row_group
    original_iter_batches = pq.ParquetFile.iter_batches
    original_read = pq.ParquetFile.read

    def record_columns(file: pq.ParquetFile, columns: Sequence[str] | None) -> None:
        leaves = [file.schema.column(at).path for at in range(len(file.schema.names))]
        requested_columns = leaves if columns is None else columns
        chosen = {
            leaf
            for leaf in leaves
            for column in requested_columns
            if f"{leaf}.".startswith(f"{column}.")
        }
        columns_by_file[file.table_and_name] |= chosen

    def open_file(self: pq.ParquetFile, source: Any, **options: Any) -> None:
        original_init(self, source, **options)
        self.table_and_name = "/".join(Path(source).parts[-2:]) if isinstance(source, Path) else ""

    def read_one_group(
        self: pq.ParquetFile, i: int, columns: Any = None, **options: Any
    ) -> pa.Table:
        record_columns(self, columns)
        return original_read_row_group(self, i, columns=columns, **options)

    def read_in_batches(
        self: pq.ParquetFile, *positional: Any, columns: Any = None, **options: Any
    ) -> Iterator[pa.RecordBatch]:
        record_columns(self, columns)
        yield from original_iter_batches(self, *positional, columns=columns, **options)

    def read_whole_file(self: pq.ParquetFile, columns: Any = None, **options: Any) -> pa.Table:
        record_columns(self, columns)
        return original_read(self, columns=columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "__init__", open_file)
    monkeypatch.setattr(pq.ParquetFile, "read", read_whole_file)
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", read_one_group)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", read_in_batches)
    return columns_by_file


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of the documents that are parsed from now on."""
    page_names: list[str] = []
    original_check = documents.document_fault

    def record_page(name: str, path: Path) -> str | None:
        page_names.append(name)
        return original_check(name, path)

    monkeypatch.setattr(documents, "document_fault", record_page)
    return page_names


@pytest.fixture
def release(built_release: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_release, tmp_path / built_release.name))


def check_with_store(folder: Path) -> None:
    """Check a release with the store of earlier results beside it."""
    with remembering(folder.parent / "known"):
        check_release(folder, FURTHER_GATES)


def findings_of(folder: Path) -> tuple[str, ...]:
    with pytest.raises(GateError) as caught:
        check_with_store(folder)
    return caught.value.findings


def rewrite(part: Path, group_rows: int, change: Callable[[list[Row]], object] = len) -> None:
    """Rewrite a file of shortcuts in other row groups, change its rows, and reseal the release."""
    rows = pq.read_table(part).to_pylist()
    change(rows)
    table = pa.Table.from_pylist(rows, load_table("shortcuts").arrow_schema())
    pq.write_table(table, part, row_group_size=group_rows, write_page_checksum=True)
    replace_entry(part.parents[1], part)


def fully_read_files(reads: Reads) -> set[str]:
    """Return the files of shortcuts of which more than the keys and references was decoded."""
    key_columns = {"shortcut_id", "source_digest", "source_uri", "icloud_ids.list.element", "split"}
    key_columns |= {
        "near_duplicate_cluster",
        "evaluation",
        "evaluation_reasons.list.element",
        "length",
    }
    key_columns |= {f"actions.list.element.{name}" for name in ("definition_id", "identifier")}
    return {
        path for path, names in reads.items() if path[:10] == "shortcuts/" and names - key_columns
    }


def test_second_check_reads_only_keys_of_sound_files(
    release: Path, reads: Reads, pages: list[str]
) -> None:
    check_with_store(release)
    parts = {f"shortcuts/{part.name}" for part in table_parts(release, "shortcuts")}
    assert len(parts) > 1
    assert fully_read_files(reads) == parts
    assert len(pages) > 10
    reads.clear()
    pages.clear()
    check_with_store(release)
    assert fully_read_files(reads) == set()
    assert {path for path in reads if "shortcuts" in path} == parts  # only the keys
    assert pages == []
    # Without a store everything is read.
    check_release(release, FURTHER_GATES)
    assert fully_read_files(reads) == parts
    assert len(pages) > 10


def test_second_check_reads_only_the_changed_file(
    release: Path, reads: Reads, pages: list[str]
) -> None:
    check_with_store(release)
    part = table_parts(release, "shortcuts")[0]
    rewrite(part, 2)
    reads.clear()
    pages.clear()
    check_with_store(release)
    assert fully_read_files(reads) == {f"shortcuts/{part.name}"}
    assert pages == ["CITATION.cff"]  # it names the content digest


def test_second_check_finds_damaged_row_in_changed_file(release: Path) -> None:
    check_with_store(release)
    part = table_parts(release, "shortcuts")[-1]
    damaged_ids: list[str] = []

    def change(rows: list[Row]) -> None:
        rows[-1]["length"] += 1
        damaged_ids.append(rows[-1]["shortcut_id"])

    rewrite(part, 3, change)
    for _ in range(2):
        (finding,) = findings_of(release)
        assert damaged_ids[0] in finding
        assert "length is" in finding


def test_second_check_names_damaged_file(release: Path) -> None:
    check_with_store(release)
    part = table_parts(release, "shortcuts")[0]
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 255
    part.write_bytes(content)
    (finding,) = findings_of(release)
    assert finding == f"shortcuts/{part.name}: was changed: its bytes differ from its sha256"
    replace_entry(release, part)  # resealed, but the checksum of the Parquet page differs
    (finding,) = findings_of(release)
    assert finding.startswith(f"shortcuts/{part.name} is not a readable Parquet file")


def test_changed_table_definition_makes_check_read_rows_again(
    release: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_with_store(release)
    reads.clear()
    original_digest = row_rules.definition_digest
    monkeypatch.setattr(
        row_rules, "definition_digest", lambda table: f"{original_digest(table)}, changed"
    )
    check_with_store(release)
    assert len(fully_read_files(reads)) == len(table_parts(release, "shortcuts"))


def test_damaged_store_makes_check_read_files_again(release: Path, reads: Reads) -> None:
    check_with_store(release)
    (memory,) = (release.parent / "known").glob("*.sqlite")
    content = memory.read_bytes()
    for at in range(0, len(content), len(content) // samples(4, 12)):
        memory.write_bytes(content[:at] + bytes([content[at] ^ 255]) * 9 + content[at + 9 :])
        check_with_store(release)
    memory.unlink()
    reads.clear()
    check_with_store(release)
    assert fully_read_files(reads)


def test_store_remembers_results_of_other_processes(release: Path, reads: Reads) -> None:
    with remembering(release.parent / "known"), mapping(2) as run:
        check_release(release, FURTHER_GATES, run)
    assert len(fully_read_files(reads)) == 0
    check_with_store(release)
    assert fully_read_files(reads) == set()


def split_file(part: Path, *, upside_down: bool = False, overlap: int = 0) -> None:
    """Replace a file by two files with half of its rows each, and reseal the release."""
    folder, table = part.parents[1], part.parent.name
    rows = pq.read_table(part)
    middle = len(rows) // 2
    halves = [rows.slice(0, middle + overlap), rows.slice(middle)]
    stem = part.name.partition("-0")[0]
    part.unlink()
    written = []
    for number, half in enumerate(reversed(halves) if upside_down else halves):
        target = part.with_name(f"{stem}-0000{number}-of-00002.parquet")
        pq.write_table(half, target, write_page_checksum=True)
        written.append(file_entry(folder, target, table, len(half)))
    manifest = read_manifest(folder)
    name = part.relative_to(folder).as_posix()
    files = (*(file for file in manifest.files if file.path != name), *written)
    card = folder / "README.md"
    before, after = card_configs(manifest.files), card_configs(files)
    card.write_text(card.read_text().replace(before, after))
    forge(folder, msgspec.structs.replace(manifest, files=files))
    replace_entry(folder, card)


@pytest.mark.parametrize("most_rows", [view.MAX_ROWS, 0])
def test_keys_and_order_are_checked_across_files(
    built_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_rows: int
) -> None:
    """With `most_rows` 0, each gate reads its own columns, as for a table with many rows."""
    monkeypatch.setattr(view, "MAX_ROWS", most_rows)
    findings: dict[str, list[tuple[str, ...]]] = {}
    for name, options in (
        ("sound", {}),
        ("swapped", {"upside_down": True}),
        ("twice", {"overlap": 1}),
    ):
        folder = Path(shutil.copytree(built_release, tmp_path / name / built_release.name))
        split_file(table_parts(folder, "shortcuts")[0], **options)
        for store in (tmp_path / "known", None):
            with remembering(store) if store else nullcontext():
                if name == "sound":
                    check_release(folder, FURTHER_GATES)
                    continue
                with pytest.raises(GateError) as caught:
                    check_release(folder, FURTHER_GATES)
                findings.setdefault(name, []).append(caught.value.findings)
    for with_store, without_store in findings.values():
        assert with_store == without_store
    assert any("not sorted" in finding for finding in findings["swapped"][0])
    assert any("occurs twice" in finding for finding in findings["twice"][0])
