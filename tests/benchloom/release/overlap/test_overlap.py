"""Tests of overlap: shared rows of two sets are counted by kind, match and split."""

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


def query_row(number: int, words: str, split: str | None, target: str = "") -> dict[str, Any]:
    """Return a row of the table `queries`."""
    return {
        "query_id": f"query:{number}",
        "target_id": target,
        "kind": "instruction",
        "text": words,
        "split": split,
    }


def plan_row(
    path_id: str, split: str | None, *steps: tuple[str, str, Sequence[str]]
) -> dict[str, Any]:
    """Return a row of the table `planning_paths` with these steps."""
    return {
        "path_id": path_id,
        "split": split,
        "steps": [
            {
                "index": index,
                "app": app,
                "api": api,
                "arguments": [
                    {"name": name, "kind": "literal", "value": path_id} for name in names
                ],
            }
            for index, (app, api, names) in enumerate(steps)
        ],
    }


def write_set(folder: Path, **tables: Rows) -> Path:
    """Write tables of a set to a folder and return the folder."""
    for table, rows in tables.items():
        write_rows(folder, table, rows)
    return folder


def match_counts(overlap: Overlap, kind: str) -> dict[Count, tuple[int, int]]:
    """Return (rows, other rows) of each match of a kind, by match, splits and other set."""
    return {
        (match_row.match, match_row.split, match_row.other, match_row.other_split): (
            match_row.rows,
            match_row.other_rows,
        )
        for match_row in overlap.matches
        if match_row.kind == kind
    }


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A set with texts, plans, shortcuts and definitions in several splits."""
    return write_set(
        tmp_path / "ours",
        queries=[
            query_row(1, "Play some slow jazz in the kitchen, please.", "train"),
            query_row(2, "play some slow jazz in the kitchen please", "train"),
            query_row(3, "Turn every page of this file into an image.", "test"),
            query_row(4, SCRIPT + " and shorten the link for me", None),
            query_row(5, "", "test"),
        ],
        planning_paths=[
            plan_row("plan:1", "train", ("Music_1", "PlaySong", ["song_name"])),
            plan_row("plan:2", "test", ("Music_1", "PlaySong", ["song_name"])),
            plan_row("plan:3", "test", ("Files_1", "Convert", ["to", "file"])),
        ],
        shortcuts=[
            {"shortcut_id": "shortcut:1", "split": "train", "name": "One"},
            {"shortcut_id": "shortcut:2", "split": "test", "name": "Two"},
        ],
        api_definitions=[{"definition_id": "api:1", "api": "PlaySong"}],
    )


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A set that shares some rows of every kind with `ours`."""
    return write_set(
        tmp_path / "theirs",
        queries=[
            query_row(11, "Play some slow jazz in the kitchen please!", "test"),
            query_row(12, "Turn each page of this file into an image.", None, "plan:9"),
            query_row(13, SCRIPT + " and shorten the link for me", "train"),
            {**query_row(14, "Music", "test"), "kind": "category"},
        ],
        planning_paths=[
            plan_row("plan:1", "test", ("Music_1", "PlaySong", ["song_name"])),
            plan_row("plan:9", "dev", ("music", "playsong", ["songname"])),
            plan_row("plan:8", None, ("files", "convert", ["file", "to"]), ("files", "open", [])),
        ],
        shortcuts=[{"shortcut_id": "shortcut:2", "split": "train", "name": "Also two"}],
        api_definitions=[{"definition_id": "api:1", "api": "PlaySong"}],
    )


def test_matches_of_every_kind_are_counted_by_split(ours: Path, theirs: Path) -> None:
    overlap = find_overlap(ours, [theirs])
    assert match_counts(overlap, "text") == {
        ("equal", "train", "theirs", "test"): (2, 1),
        ("equal", "unsplit", "theirs", "train"): (1, 1),
        ("near", "test", "theirs", "validation"): (1, 1),
    }
    assert match_counts(overlap, "plan") == {
        ("equal", "train", "theirs", "test"): (1, 1),
        ("structure", "train", "theirs", "validation"): (1, 1),
        ("structure", "test", "theirs", "validation"): (1, 1),
    }
    assert match_counts(overlap, "shortcut") == {("equal", "test", "theirs", "train"): (1, 1)}
    assert match_counts(overlap, "definition") == {
        ("equal", "unsplit", "theirs", "unsplit"): (1, 1)
    }
    apis = match_counts(overlap, "api")
    assert apis["equal", "test", "theirs", "unsplit"] == (1, 1)  # Convert
    assert apis["equal", "train", "theirs", "validation"] == (1, 1)  # PlaySong
    assert match_counts(overlap, "app")["equal", "train", "theirs", "validation"] == (1, 1)
    totals = {(overlap_set.set, overlap_set.kind): overlap_set.rows for overlap_set in overlap.sets}
    assert totals["ours", "text"] == {"test": 1, "train": 2, "unsplit": 1}
    assert totals["theirs", "text"] == {"test": 1, "train": 1, "validation": 1}


def test_set_shares_every_row_with_itself(ours: Path) -> None:
    overlap = find_overlap(ours, [ours])
    for overlap_set in overlap.sets:
        shared = {
            split: counts
            for (match, split, _, other), counts in match_counts(overlap, overlap_set.kind).items()
            if match == "equal" and split == other
        }
        assert shared == {split: (rows, rows) for split, rows in overlap_set.rows.items()}


def test_table_and_page_agree_with_the_summary(ours: Path, theirs: Path, tmp_path: Path) -> None:
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
    ("name", "other"), [("Buses_1", "buses"), ("FindBus", "find_bus"), ("song_name", "songname")]
)
def test_spellings_of_one_name_fold_to_the_same(name: str, other: str) -> None:
    assert folded(name) == folded(other)


def test_names_without_ascii_letters_stay_different() -> None:
    assert folded("_1") != folded("_2")
    assert folded("\u5929\u6c14") != folded("\u5929\u6587")


def test_folder_without_comparable_tables_is_refused(ours: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(RunError, match="nothing has none of the tables queries"):
        find_overlap(ours, [tmp_path / "nothing"])
    release = small_release(tmp_path)
    with pytest.raises(RunError, match="has none of the tables"):
        find_overlap(release, [ours])


def test_damaged_table_is_reported_in_one_line(ours: Path, theirs: Path) -> None:
    (part,) = (theirs / "queries").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:200])
    done = run_overlap(ours, theirs)
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
def test_columns_of_another_type_are_refused(
    ours: Path, tmp_path: Path, table: str, column: str, values: list[Any]
) -> None:
    theirs = tmp_path / "other"
    theirs.mkdir()
    pq.write_table(pa.table({column: values}), theirs / f"{table}.parquet")
    with pytest.raises(RunError, match=f"{table} is not a table of benchloom: "):
        find_overlap(ours, [theirs])


def test_command_prints_a_summary_and_writes_three_files(
    ours: Path, theirs: Path, tmp_path: Path
) -> None:
    done = run_overlap(ours, theirs, "--json", "--out", str(tmp_path / "o"))
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["others"] == ["theirs"]
    assert {"kind", "match", "split", "rows", "other_rows"} <= set(summary["matches"][0])
    assert sorted(path.name for path in (tmp_path / "o").iterdir()) == [
        "overlap.html",
        "overlap.json",
        "overlap.parquet",
    ]
    plain = run_overlap(ours, theirs)
    assert "text equal: 2 of ours, train; 1 of theirs, test" in plain.stdout


def run_overlap(ours: Path, theirs: Path, *options: str) -> CompletedProcess[str]:
    """Run `benchloom release overlap` on two sets."""
    return benchloom("release", "overlap", ours, theirs, *options)
