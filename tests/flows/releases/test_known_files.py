"""A file in which nothing was found is not read again, and whatever else there is, is."""

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
from tests.flows.releases.test_gates import entry
from tests.support.samples.small_release import forge, replace_entry
from tests.support.soak import samples

Row = dict[str, Any]
Reads = dict[str, set[str]]
"""Leaves of columns that were decoded, by the table and the name of the file."""


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Record the Parquet columns that are decoded from now on, by file."""
    columns_by_file: Reads = defaultdict(set)
    opened = pq.ParquetFile.__init__
    group, batches = pq.ParquetFile.read_row_group, pq.ParquetFile.iter_batches
    read = pq.ParquetFile.read

    def noted(file: pq.ParquetFile, columns: Sequence[str] | None) -> None:
        leaves = [file.schema.column(at).path for at in range(len(file.schema.names))]
        requested_columns = leaves if columns is None else columns
        chosen = {
            leaf
            for leaf in leaves
            for column in requested_columns
            if f"{leaf}.".startswith(f"{column}.")
        }
        columns_by_file[file.place] |= chosen

    def opening(self: pq.ParquetFile, source: Any, **options: Any) -> None:
        opened(self, source, **options)
        self.place = "/".join(Path(source).parts[-2:]) if isinstance(source, Path) else ""

    def one_group(self: pq.ParquetFile, i: int, columns: Any = None, **options: Any) -> pa.Table:
        noted(self, columns)
        return group(self, i, columns=columns, **options)

    def in_batches(
        self: pq.ParquetFile, *given: Any, columns: Any = None, **options: Any
    ) -> Iterator[pa.RecordBatch]:
        noted(self, columns)
        yield from batches(self, *given, columns=columns, **options)

    def all_of_it(self: pq.ParquetFile, columns: Any = None, **options: Any) -> pa.Table:
        noted(self, columns)
        return read(self, columns=columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "__init__", opening)
    monkeypatch.setattr(pq.ParquetFile, "read", all_of_it)
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", one_group)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", in_batches)
    return columns_by_file


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that are parsed from here on."""
    page_names: list[str] = []
    look = documents.document_fault

    def noted(name: str, path: Path) -> str | None:
        page_names.append(name)
        return look(name, path)

    monkeypatch.setattr(documents, "document_fault", noted)
    return page_names


@pytest.fixture
def release(built_release: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_release, tmp_path / built_release.name))


def check(folder: Path) -> None:
    with remembering(folder.parent / "known"):
        check_release(folder, FURTHER_GATES)


def findings_of(folder: Path) -> tuple[str, ...]:
    with pytest.raises(GateError) as caught:
        check(folder)
    return caught.value.findings


def rewrite(part: Path, group_rows: int, change: Callable[[list[Row]], object] = len) -> None:
    """The rows of a file of shortcuts, in other row groups, in a release that is sealed again."""
    rows = pq.read_table(part).to_pylist()
    change(rows)
    table = pa.Table.from_pylist(rows, load_table("shortcuts").arrow_schema())
    pq.write_table(table, part, row_group_size=group_rows, write_page_checksum=True)
    replace_entry(part.parents[1], part)


def whole(reads: Reads) -> set[str]:
    """The files of shortcuts of which more was read than keys and what leads to other tables."""
    few = {"shortcut_id", "source_digest", "source_uri", "icloud_ids.list.element", "split"}
    few |= {"near_duplicate_cluster", "evaluation", "evaluation_reasons.list.element", "length"}
    few |= {f"actions.list.element.{name}" for name in ("definition_id", "identifier")}
    return {path for path, names in reads.items() if path[:10] == "shortcuts/" and names - few}


def test_a_known_file_is_not_read_again(release: Path, reads: Reads, pages: list[str]) -> None:
    check(release)
    parts = {f"shortcuts/{part.name}" for part in table_parts(release, "shortcuts")}
    assert len(parts) > 1
    assert whole(reads) == parts
    assert len(pages) > 10
    reads.clear()
    pages.clear()
    check(release)
    assert whole(reads) == set()
    assert {path for path in reads if "shortcuts" in path} == parts  # their keys
    assert pages == []
    # Without a store all is looked at.
    check_release(release, FURTHER_GATES)
    assert whole(reads) == parts
    assert len(pages) > 10


def test_only_a_new_file_is_read(release: Path, reads: Reads, pages: list[str]) -> None:
    check(release)
    part = table_parts(release, "shortcuts")[0]
    rewrite(part, 2)
    reads.clear()
    pages.clear()
    check(release)
    assert whole(reads) == {f"shortcuts/{part.name}"}
    assert pages == ["CITATION.cff"]  # it names the content digest


def test_a_damaged_row_in_a_new_file_is_found_beside_known_ones(release: Path) -> None:
    check(release)
    part = table_parts(release, "shortcuts")[-1]
    named: list[str] = []

    def change(rows: list[Row]) -> None:
        rows[-1]["length"] += 1
        named.append(rows[-1]["shortcut_id"])

    rewrite(part, 3, change)
    for _ in range(2):
        (finding,) = findings_of(release)
        assert named[0] in finding
        assert "length is" in finding


def test_a_known_file_that_was_damaged_is_named(release: Path) -> None:
    check(release)
    part = table_parts(release, "shortcuts")[0]
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 255
    part.write_bytes(content)
    (finding,) = findings_of(release)
    assert finding == f"shortcuts/{part.name}: was changed: its bytes differ from its sha256"
    replace_entry(release, part)  # sealed again, within a page whose checksum then differs
    (finding,) = findings_of(release)
    assert finding.startswith(f"shortcuts/{part.name} is not a readable Parquet file")


def test_a_changed_definition_of_a_table_makes_its_rows_be_looked_at(
    release: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(release)
    reads.clear()
    original_digest = row_rules.definition_digest
    monkeypatch.setattr(
        row_rules, "definition_digest", lambda table: f"{original_digest(table)}, changed"
    )
    check(release)
    assert len(whole(reads)) == len(table_parts(release, "shortcuts"))


def test_damage_in_what_is_known_costs_only_time(release: Path, reads: Reads) -> None:
    check(release)
    (memory,) = (release.parent / "known").glob("*.sqlite")
    content = memory.read_bytes()
    for at in range(0, len(content), len(content) // samples(4, 12)):
        memory.write_bytes(content[:at] + bytes([content[at] ^ 255]) * 9 + content[at + 9 :])
        check(release)
    memory.unlink()
    reads.clear()
    check(release)
    assert whole(reads)


def test_what_other_processes_find_sound_is_known(release: Path, reads: Reads) -> None:
    with remembering(release.parent / "known"), mapping(2) as run:
        check_release(release, FURTHER_GATES, run)
    assert len(whole(reads)) == 0
    check(release)
    assert whole(reads) == set()


def halved(part: Path, *, upside_down: bool = False, overlap: int = 0) -> None:
    """The rows of a file in two, in a release that is sealed again."""
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
        written.append(entry(folder, target, table, len(half)))
    manifest = read_manifest(folder)
    name = part.relative_to(folder).as_posix()
    files = (*(file for file in manifest.files if file.path != name), *written)
    card = folder / "README.md"
    before, after = card_configs(manifest.files), card_configs(files)
    card.write_text(card.read_text().replace(before, after))
    forge(folder, msgspec.structs.replace(manifest, files=files))
    replace_entry(folder, card)


@pytest.mark.parametrize("most_rows", [view.MAX_ROWS, 0])
def test_keys_and_order_hold_over_all_files_however_much_is_known(
    built_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_rows: int
) -> None:
    """Also where a table has so many rows that each gate reads its own columns."""
    monkeypatch.setattr(view, "MAX_ROWS", most_rows)
    findings: dict[str, list[tuple[str, ...]]] = {}
    for name, options in (
        ("sound", {}),
        ("swapped", {"upside_down": True}),
        ("twice", {"overlap": 1}),
    ):
        folder = Path(shutil.copytree(built_release, tmp_path / name / built_release.name))
        halved(table_parts(folder, "shortcuts")[0], **options)
        for store in (tmp_path / "known", None):
            with remembering(store) if store else nullcontext():
                if name == "sound":
                    check_release(folder, FURTHER_GATES)
                    continue
                with pytest.raises(GateError) as caught:
                    check_release(folder, FURTHER_GATES)
                findings.setdefault(name, []).append(caught.value.findings)
    for by_store, by_hand in findings.values():
        assert by_store == by_hand
    assert any("not sorted" in finding for finding in findings["swapped"][0])
    assert any("occurs twice" in finding for finding in findings["twice"][0])
