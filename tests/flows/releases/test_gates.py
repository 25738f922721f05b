"""Check that every gate of `release check` finds its fault and names the row."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError
from benchloom.normalise.opt_outs.files import icloud_digest
from benchloom.release import check_release, read_manifest
from benchloom.release.gates import GATES, AnyGate, GateView, Piece, gate_findings, view_gate
from benchloom.release.manifest import ReleaseFile, content_digest, file_digest, write_manifest
from benchloom.release.sharding import file_set_of
from benchloom.storage.tables import (
    FileSet,
    TableDefinition,
    load_table,
    read_rows,
    table_parts,
)
from flows.stages.release import FURTHER_GATES
from tests.support.demo_world import SHORTCUTS
from tests.support.shortcut_stages import build

pytestmark = pytest.mark.prefect
Row = dict[str, Any]
Change = Callable[[list[Row]], str]
"""Changes the rows of a table and returns the text that a finding must contain."""


def file_entry(
    folder: Path, path: Path, table: str | None = None, rows: int | None = None
) -> ReleaseFile:
    """Return the manifest's entry for a file of a release."""
    return ReleaseFile(
        path=path.relative_to(folder).as_posix(),
        bytes=path.stat().st_size,
        sha256=file_digest(path),
        table=table,
        rows=rows,
    )


def seal(folder: Path, replaced: list[ReleaseFile]) -> None:
    """Rewrite the manifest with the digests of changed files, as a careful forger would."""
    manifest = read_manifest(folder)
    tables = {file.table for file in replaced if file.table is not None}
    paths = {file.path for file in replaced}
    remaining_files = [f for f in manifest.files if f.path not in paths and f.table not in tables]
    files = (*remaining_files, *replaced)
    write_manifest(
        folder,
        msgspec.structs.replace(manifest, files=files, content_digest=content_digest(files)),
    )


def damage_table(folder: Path, table: str, change: Change) -> str:
    """Rewrite a table of a release with changed rows, and return what a finding must contain."""
    rows = [row for part in table_parts(folder, table) for row in read_rows(part).to_pylist()]
    definition = load_table(table)
    before = {id(row): set_of(definition, row) for row in rows}
    expected_text = change(rows)
    for part in table_parts(folder, table):
        part.unlink()
    sets: dict[FileSet, list[Row]] = {}
    for row in rows:
        sets.setdefault(set_of(definition, row), []).append(row)
    written = []
    # A row that moved here from another set of files must be sorted into the new set.
    for file_set, file_rows in sets.items():
        if any(before.get(id(row), file_set) != file_set for row in file_rows):
            file_rows.sort(key=lambda row: [row[name] for name in definition.sort])
    for file_set, file_rows in sets.items():
        target = folder / table / file_set.file_name(0, 1)
        pq.write_table(pa.Table.from_pylist(file_rows, definition.arrow_schema()), target)
        written.append(file_entry(folder, target, table, len(file_rows)))
    seal(folder, written)
    return expected_text


def set_of(table: TableDefinition, row: Row) -> FileSet:
    if table.splits is None:
        return FileSet("unsplit")
    marked = row[table.splits.subset] if table.splits.subset else False
    return file_set_of(table.splits, row[table.splits.column], marked)


def copy_release(release: Path, tmp_path: Path) -> Path:
    return shutil.copytree(release, tmp_path / release.name)


def findings_of(folder: Path, further: Sequence[AnyGate] = ()) -> str:
    with pytest.raises(GateError) as caught:
        check_release(folder, further)
    return "\n".join(caught.value.findings)


def change_first_row(finding: str, **values: object) -> Change:
    """Return a change of values in the first row; `finding` is formatted with its columns."""

    def change(rows: list[Row]) -> str:
        rows[0].update(values)
        return finding.format_map(rows[0])

    return change


def repeat_first_row(rows: list[Row]) -> str:
    rows.insert(0, rows[0])
    return "occurs twice"


def swap_first_and_last_row(rows: list[Row]) -> str:
    rows[0], rows[-1] = rows[-1], rows[0]
    return "not sorted"


def drop_last_row(rows: list[Row]) -> str:
    rows.pop()
    return "the funnel's reasons add up to"


def point_query_to_missing_target(rows: list[Row]) -> str:
    rows[0]["target_id"] = "shortcut:sha256:" + 64 * "0"
    rows.sort(key=lambda row: (row["kind"], row["target_id"], row["query_id"]))
    return "queries.target_id: shortcut:sha256:000"


def point_reference_beyond_the_end(rows: list[Row]) -> str:
    for row in rows:
        for action in row["actions"]:
            for argument in action["arguments"]:
                for reference in argument["references"]:
                    if reference["action_index"] is not None:
                        reference["action_index"] = 999
                        return f"{row['shortcut_id']}: action {action['index']} refers to"
    raise AssertionError("no reference in the release")


def find_joined_action(rows: list[Row]) -> tuple[Row, Row]:
    return next(
        (row, action)
        for row in rows
        for action in row["actions"]
        if action["definition_id"] is not None
    )


def change_length(rows: list[Row]) -> str:
    rows[0]["length"] += 1
    return str(rows[0]["shortcut_id"])


def use_unpublished_definition(rows: list[Row]) -> str:
    _, action = find_joined_action(rows)
    action["definition_id"] = "api:sha256:0"
    return "definition_checks.actions.definition_id: api:sha256:0 is in none of api_definitions"


def use_unpublished_definition_in_step(rows: list[Row]) -> str:
    rows[0]["steps"][0]["definition_id"] = "api:sha256:0"
    return "planning_paths.steps.definition_id: api:sha256:0 is in none of api_definitions"


def use_definition_of_another_api(rows: list[Row]) -> str:
    _, action = find_joined_action(rows)
    other = next(
        other["definition_id"]
        for row in rows
        for other in row["actions"]
        if other["definition_id"] is not None and other["identifier"] != action["identifier"]
    )
    action["definition_id"] = other
    return f"action {action['index']} ({action['identifier']}): {other} defines"


def remove_definition_id(rows: list[Row]) -> str:
    _, action = find_joined_action(rows)
    action["definition_id"] = None
    return f"action {action['index']} ({action['identifier']}) has no definition_id, although"


def remove_definition_without_reason(rows: list[Row]) -> str:
    row, action = find_joined_action(rows)
    action["definition_id"] = None
    return (
        f"{row['shortcut_id']}: action {action['index']} must have either a definition or a reason"
    )


def flip_kept(rows: list[Row]) -> str:
    rows[0]["kept"] = not rows[0]["kept"]
    return (
        f"queries: {rows[0]['query_id']}: kept is {rows[0]['kept']}, which contradicts its verdicts"
    )


def move_query_to_another_split(rows: list[Row]) -> str:
    row = next(row for row in rows if row["split"] is not None)
    row["split"] = next(name for name in ("train", "test") if name != row["split"])
    return f"queries: {row['query_id']}: has the split {row['split']}, but its target is in"


def respell_category(rows: list[Row]) -> str:
    row = next(row for row in reversed(rows) if row["category"] is not None)
    row["category"] = row["category"].upper()
    return f"category {row['category']} is also spelt"


def point_verdict_to_missing_query(rows: list[Row]) -> str:
    rows[-1]["target_id"] = "query:sha256:" + 64 * "g"
    return "verdicts.target_id: query:sha256:ggg"


def rename_argument(rows: list[Row]) -> str:
    row = next(row for row in rows if row["steps"][0]["arguments"])
    row["steps"][0]["arguments"][0]["name"] = "no_such_argument"
    return f"{row['path_id']} ({row['dialogues'][0]['source_id']}): unknown_argument"


def break_json_of_step_argument(rows: list[Row]) -> str:
    row = next(row for row in rows if row["steps"][0]["arguments"])
    row["steps"][0]["arguments"][0] |= {"value": "[[redacted:coordinates]]", "is_json": True}
    return "1 distinct values of steps.arguments.value are not valid JSON"


def make_reference_unreadable(rows: list[Row]) -> str:
    row = next(row for row in rows if row["steps"][0]["arguments"])
    row["steps"][0]["arguments"][0] |= {"value": '{"$ref":{"step":"x"}}', "is_json": True}
    return f"{row['path_id']} ({row['dialogues'][0]['source_id']}): unreadable_value"


def break_json_of_action_argument(rows: list[Row]) -> str:
    row = next(row for row in rows if any(action["arguments"] for action in row["actions"]))
    action = next(action for action in row["actions"] if action["arguments"])
    action["arguments"][0]["value"] = "[redacted:token]"
    return "1 distinct values of actions.arguments.value are not valid JSON"


def add_cycle(rows: list[Row]) -> str:
    row = next(row for row in rows if row["edges"])
    edge = row["edges"][0]
    step = row["steps"][edge["from_step"]]
    argument = step["arguments"][0]
    argument |= {"kind": "reference", "from_step": edge["to_step"], "output": "x"}
    row["edges"].append(
        {
            "from_step": edge["to_step"],
            "output": "x",
            "to_step": edge["from_step"],
            "argument": argument["name"],
            "evidence": "name",
        }
    )
    return f"{row['path_id']} ({row['dialogues'][0]['source_id']}): cyclic"


def change_source_digest(rows: list[Row]) -> str:
    row = next(row for row in rows if "icloud-content" in row["source_uri"])
    row["source_digest"] = "file:sha256:" + 64 * "0"
    return f"shortcuts: {row['shortcut_id']}: no capture in icloud-content"


def spread_cluster_over_two_splits(rows: list[Row]) -> str:
    first, second = (next(r for r in rows if r["split"] == name) for name in ("train", "test"))
    first["near_duplicate_cluster"] = second["near_duplicate_cluster"] = "cluster:sha256:0"
    return "cluster:sha256:0 is in several splits: test, train"


def move_result_to_another_split(rows: list[Row]) -> str:
    row = next(row for row in rows if row["split"] == "train")
    row["split"] = "test"
    return f"service_results: {row['dialogue_id']}: has the split test, but its plan is in train"


DAMAGES: dict[str, tuple[str, str, Change]] = {
    "key": ("contract", "listings", repeat_first_row),
    "no_json": ("contract", "planning_paths", break_json_of_step_argument),
    "no_json_action": ("contract", "shortcuts", break_json_of_action_argument),
    "unreadable": ("planning_paths", "planning_paths", make_reference_unreadable),
    "order": ("contract", "queries", swap_first_and_last_row),
    "funnel": ("funnel", "rejected", drop_last_row),
    "target": ("references", "queries", point_query_to_missing_target),
    "reference": ("references", "shortcuts", point_reference_beyond_the_end),
    "definition": ("references", "definition_checks", use_unpublished_definition),
    "step": ("references", "planning_paths", use_unpublished_definition_in_step),
    "verdict": ("references", "verdicts", point_verdict_to_missing_query),
    "other": ("definitions", "shortcuts", use_definition_of_another_api),
    "kept_back": ("definitions", "shortcuts", remove_definition_id),
    "reason": ("definitions", "definition_checks", remove_definition_without_reason),
    "kept": ("texts", "queries", flip_kept),
    "judged": (
        "texts",
        "queries",
        change_first_row("queries: {query_id}: judged is True, which contradicts", judged=True),
    ),
    "text_split": ("texts", "queries", move_query_to_another_split),
    "spelling": ("texts", "queries", respell_category),
    "argument": ("planning_paths", "planning_paths", rename_argument),
    "cycle": ("planning_paths", "planning_paths", add_cycle),
    "capture": (
        "lineage",
        "listings",
        change_first_row("listings: {listing_id}: capture:sha256:0", capture="capture:sha256:0"),
    ),
    "bytes": ("lineage", "shortcuts", change_source_digest),
    "source": (
        "lineage",
        "shortcuts",
        change_first_row(
            "shortcuts: {shortcut_id}: elsewhere is not among", source_uri="elsewhere"
        ),
    ),
    "folder": (
        "splits",
        "planning_paths",
        change_first_row("planning_paths: {path_id}: has the unknown split 'dev'", split="dev"),
    ),
    "result_split": ("splits", "service_results", move_result_to_another_split),
    "result": (
        "references",
        "service_results",
        change_first_row("service_results.source + source_uri + source_id", source_id="0"),
    ),
    "straddling": ("splits", "shortcuts", spread_cluster_over_two_splits),
}


def test_release_check_reads_each_row_once(
    demo_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row_counts: Counter[str] = Counter()
    records = GateView.records

    def count_records(self: GateView, piece: Piece, record: Any) -> Iterator[Any]:
        for row in records(self, piece, record):
            row_counts[piece.table] += 1
            yield row

    monkeypatch.setattr(GateView, "records", count_records)
    folder = copy_release(demo_release, tmp_path)
    tables = check_release(folder, FURTHER_GATES).tables()
    assert row_counts == {name: tables[name] for name in ("planning_paths", "shortcuts")}


@pytest.mark.parametrize(
    ("table", "column"),
    [("listings", "listing_id"), ("shortcuts", "source_digest"), ("icloud_records", "icloud_id")],
)
def test_gate_finds_released_rows_that_are_withheld(
    demo_release: Path, tmp_path: Path, table: str, column: str
) -> None:
    folder = copy_release(demo_release, tmp_path)
    value = read_rows(table_parts(folder, table)[0], [column]).column(column)[0].as_py()
    digest = icloud_digest(value) if column == "icloud_id" else value

    def withhold(rows: list[Row]) -> str:
        row = next(row for row in rows if row["reason"] == "member_only")
        row |= {"reason": "opted_out", "digest": digest}
        rows.sort(
            key=lambda r: (
                r["stage"],
                r["source_uri"],
                r["reason"],
                r["digest"] or "",
                r["message"],
            )
        )
        return f"{digest}"

    expected_text = damage_table(folder, "rejected", withhold)
    view = view_gate(folder, read_manifest(folder))
    assert any(
        expected_text in finding for finding in gate_findings(GATES.find("tombstones"), view)
    )


@pytest.mark.long
def test_later_releases_reveal_a_changed_earlier_release(tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    versions = []
    for name in ("bread-timer.json", "packing-list.plist", "price-of-gold.plist"):
        shutil.copy(SHORTCUTS / name, world)
        versions.append(build([world], tmp_path / "w"))
    for folder in versions:
        check_release(folder)
    forged = versions[0]
    card = forged / "README.md"
    card.write_text(card.read_text() + "\nOne more sentence.\n")
    seal(forged, [file_entry(forged, card)])
    check_release(forged)  # alone it passes the check again
    for folder in versions[1:]:
        assert f"release {forged.name}: its manifest.json was changed" in findings_of(folder)
    shutil.rmtree(forged)  # a withdrawn release is no fault
    check_release(versions[-1])


def test_downloaded_copy_from_the_hub_passes_the_check(tmp_path: Path) -> None:
    release = build([SHORTCUTS / "bread-timer.json"], tmp_path / "w")
    copy = shutil.copytree(release, tmp_path / "0123abc")
    (copy / ".gitattributes").write_text("*.parquet filter=lfs diff=lfs merge=lfs -text\n")
    notes = copy / ".cache" / "huggingface" / "download"
    notes.mkdir(parents=True)
    (notes / "README.md.metadata").write_text(f"{40 * '0'}\n{64 * '0'}\n1712656091.123\n")
    check_release(copy)
    (copy / "stray.txt").write_text("x")
    assert "stray.txt: is not in the manifest" in findings_of(copy)
    other = shutil.copytree(release, tmp_path / "9.9.9")
    assert "states version 0.1.0, but the folder is named 9.9.9" in findings_of(other)
