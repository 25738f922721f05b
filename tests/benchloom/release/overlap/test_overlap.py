"""Overlap of two sets, by split: small worlds with the expected answer beside them."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import RunError
from benchloom.release.gates.documents import document_fault
from benchloom.release.overlap.report import Overlap, find_overlap
from benchloom.release.overlap.sides import folded
from tests.support.commands import benchloom
from tests.support.samples.described import write_rows
from tests.support.samples.small_release import small_release

Rows = Sequence[Mapping[str, Any]]
Count = tuple[str, str, str, str]
SCRIPT = "<script>alert(1)</script>"


def text(number: int, words: str, split: str | None, target: str = "") -> dict[str, Any]:
    return {
        "query_id": f"query:{number}",
        "target_id": target,
        "kind": "instruction",
        "text": words,
        "split": split,
    }


def plan(ident: str, split: str | None, *steps: tuple[str, str, Sequence[str]]) -> dict[str, Any]:
    return {
        "path_id": ident,
        "split": split,
        "steps": [
            {
                "index": index,
                "app": app,
                "api": api,
                "arguments": [{"name": name, "kind": "literal", "value": ident} for name in names],
            }
            for index, (app, api, names) in enumerate(steps)
        ],
    }


def world(folder: Path, **tables: Rows) -> Path:
    for table, rows in tables.items():
        write_rows(folder, table, rows)
    return folder


def counted(found: Overlap, kind: str) -> dict[Count, tuple[int, int]]:
    return {
        (match_row.match, match_row.split, match_row.other, match_row.other_split): (
            match_row.rows,
            match_row.other_rows,
        )
        for match_row in found.matches
        if match_row.kind == kind
    }


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return world(
        tmp_path / "ours",
        queries=[
            text(1, "Play some slow jazz in the kitchen, please.", "train"),
            text(2, "play some slow jazz in the kitchen please", "train"),
            text(3, "Turn every page of this file into an image.", "test"),
            text(4, SCRIPT + " and shorten the link for me", None),
            text(5, "", "test"),
        ],
        planning_paths=[
            plan("plan:1", "train", ("Music_1", "PlaySong", ["song_name"])),
            plan("plan:2", "test", ("Music_1", "PlaySong", ["song_name"])),
            plan("plan:3", "test", ("Files_1", "Convert", ["to", "file"])),
        ],
        shortcuts=[
            {"shortcut_id": "shortcut:1", "split": "train", "name": "One"},
            {"shortcut_id": "shortcut:2", "split": "test", "name": "Two"},
        ],
        api_definitions=[{"definition_id": "api:1", "api": "PlaySong"}],
    )


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    return world(
        tmp_path / "theirs",
        queries=[
            text(11, "Play some slow jazz in the kitchen please!", "test"),
            text(12, "Turn each page of this file into an image.", None, "plan:9"),
            text(13, SCRIPT + " and shorten the link for me", "train"),
            {**text(14, "Music", "test"), "kind": "category"},
        ],
        planning_paths=[
            plan("plan:1", "test", ("Music_1", "PlaySong", ["song_name"])),
            plan("plan:9", "dev", ("music", "playsong", ["songname"])),
            plan("plan:8", None, ("files", "convert", ["file", "to"]), ("files", "open", [])),
        ],
        shortcuts=[{"shortcut_id": "shortcut:2", "split": "train", "name": "Also two"}],
        api_definitions=[{"definition_id": "api:1", "api": "PlaySong"}],
    )


def test_every_kind_is_counted_by_the_splits_of_both(ours: Path, theirs: Path) -> None:
    overlap = find_overlap(ours, [theirs])
    assert counted(overlap, "text") == {
        ("equal", "train", "theirs", "test"): (2, 1),
        ("equal", "unsplit", "theirs", "train"): (1, 1),
        ("near", "test", "theirs", "validation"): (1, 1),
    }
    assert counted(overlap, "plan") == {
        ("equal", "train", "theirs", "test"): (1, 1),
        ("structure", "train", "theirs", "validation"): (1, 1),
        ("structure", "test", "theirs", "validation"): (1, 1),
    }
    assert counted(overlap, "shortcut") == {("equal", "test", "theirs", "train"): (1, 1)}
    assert counted(overlap, "definition") == {("equal", "unsplit", "theirs", "unsplit"): (1, 1)}
    apis = counted(overlap, "api")
    assert apis["equal", "test", "theirs", "unsplit"] == (1, 1)  # Convert
    assert apis["equal", "train", "theirs", "validation"] == (1, 1)  # PlaySong
    assert counted(overlap, "app")["equal", "train", "theirs", "validation"] == (1, 1)
    totals = {(overlap_set.set, overlap_set.kind): overlap_set.rows for overlap_set in overlap.sets}
    assert totals["ours", "text"] == {"test": 1, "train": 2, "unsplit": 1}
    assert totals["theirs", "text"] == {"test": 1, "train": 1, "validation": 1}


def test_a_set_shares_everything_with_itself(ours: Path) -> None:
    overlap = find_overlap(ours, [ours])
    for overlap_set in overlap.sets:
        shared = {
            split: counts
            for (match, split, _, other), counts in counted(overlap, overlap_set.kind).items()
            if match == "equal" and split == other
        }
        assert shared == {split: (rows, rows) for split, rows in overlap_set.rows.items()}


def test_table_page_and_summary_say_the_same(ours: Path, theirs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    overlap = find_overlap(ours, [theirs, theirs], out)
    assert overlap.others == ("theirs (1)", "theirs (2)")
    assert json.loads((out / "overlap.json").read_bytes())["others"] == list(overlap.others)
    rows = pq.read_table(out / "overlap.parquet").to_pylist()
    for match_row in overlap.matches:
        cell = (
            match_row.kind,
            match_row.match,
            match_row.split,
            match_row.other,
            match_row.other_split,
        )
        names = ("kind", "match", "split", "other", "other_split")
        here = [row for row in rows if tuple(row[name] for name in names) == cell]
        assert len({row["other_ident"] for row in here}) == match_row.other_rows
    page = (out / "overlap.html").read_text(encoding="utf-8")
    assert document_fault("overlap.html", out / "overlap.html") is None
    assert SCRIPT not in page
    assert page.count("<tr>") > len(overlap.matches)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    shutil.rmtree(out)
    find_overlap(ours, [theirs, theirs], out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize(
    ("one", "other"), [("Buses_1", "buses"), ("FindBus", "find_bus"), ("song_name", "songname")]
)
def test_names_of_one_source_are_folded(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_names_of_marks_alone_stay_apart() -> None:
    assert folded("_1") != folded("_2")
    assert folded("\u5929\u6c14") != folded("\u5929\u6587")


def test_a_folder_with_nothing_to_compare_is_named(ours: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(RunError, match="nothing has none of the tables queries"):
        find_overlap(ours, [tmp_path / "nothing"])
    release = small_release(tmp_path)
    with pytest.raises(RunError, match="has none of the tables"):
        find_overlap(release, [ours])


def test_a_damaged_table_is_one_line(ours: Path, theirs: Path) -> None:
    (part,) = (theirs / "queries").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:200])
    done = command(ours, theirs)
    assert done.returncode in {1, 2}
    assert re.fullmatch(r"benchloom: .*not a readable Parquet file.*\n", done.stderr)


@pytest.mark.parametrize(
    ("table", "column", "values"),
    [
        ("planning_paths", "steps", [["FindBus(to=Oslo)"]]),
        ("planning_paths", "steps", ["FindBus(to=Oslo)"]),
        ("dialogues", "utterances", [["Find a bus"]]),
        ("shortcuts", "actions", [[{"name": "alert"}]]),
    ],
)
def test_columns_of_another_form_are_one_line(
    ours: Path, tmp_path: Path, table: str, column: str, values: list[Any]
) -> None:
    theirs = tmp_path / "other"
    theirs.mkdir()
    pq.write_table(pa.table({column: values}), theirs / f"{table}.parquet")
    with pytest.raises(RunError, match=f"{table} is not a table of benchloom: "):
        find_overlap(ours, [theirs])


def test_the_command_prints_one_summary(ours: Path, theirs: Path, tmp_path: Path) -> None:
    done = command(ours, theirs, "--json", "--out", str(tmp_path / "o"))
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["others"] == ["theirs"]
    assert {"kind", "match", "split", "rows", "other_rows"} <= set(summary["matches"][0])
    assert sorted(path.name for path in (tmp_path / "o").iterdir()) == [
        "overlap.html",
        "overlap.json",
        "overlap.parquet",
    ]
    plain = command(ours, theirs)
    assert "text equal: 2 of ours, train; 1 of theirs, test" in plain.stdout


def command(ours: Path, theirs: Path, *options: str) -> CompletedProcess[str]:
    return benchloom("release", "overlap", ours, theirs, *options)
