"""Tests of the table of `release list` and of the leaks that `release overlap` reports."""

import json
import shutil
from pathlib import Path

import msgspec

from benchloom.release import read_manifest
from benchloom.release.overlap.matches import Counts
from flows.commands.release_overlap import leaks
from tests.support.commands import benchloom
from tests.support.samples.small_release import reseal, small_release


def test_release_list_is_a_table_without_empty_columns(tmp_path: Path) -> None:
    empty_list = benchloom("release", "list", "--workspace", tmp_path)
    assert empty_list.stdout.startswith("no releases")
    first_release = small_release(tmp_path)
    second_release = shutil.copytree(first_release, first_release.parent / "0.10.0")
    provenance = msgspec.structs.replace(
        read_manifest(first_release).made, at="2025-01-31T23:59:59+00:00"
    )
    reseal(second_release, version="0.10.0", made=provenance)
    process = benchloom("release", "list", "--workspace", tmp_path)
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0].split() == ["version", "date", "digest"]
    assert lines[1].split()[0] == "0.1.0"
    assert lines[2].split()[:2] == ["0.10.0", "2025-01-31"]
    release_list = json.loads(
        benchloom("release", "list", "--workspace", tmp_path, "--json").stdout
    )
    assert [release["made_at"][:10] for release in release_list["releases"]][1] == "2025-01-31"
    assert [release["rows"]["rejected"] for release in release_list["releases"]] == [3, 3]


def test_demo_release_line_fits_100_columns(demo_release: Path) -> None:
    workspace = demo_release.parents[1]
    head, line = benchloom("release", "list", "--workspace", workspace).stdout.splitlines()
    assert max(len(head), len(line)) <= 100
    assert "shortcuts" in head.split()
    assert "222" in line.split()
    assert "0" not in line.split()


def test_test_rows_in_the_other_training_split_are_leaks() -> None:
    match = {"kind": "text", "match": "equal", "other": "bfcl"}
    sides = [("train", "test", 7, 5), ("test", "train", 3, 9), ("train", "train", 4, 4)]
    overlap_counts = [
        Counts(**match, split=split, other_split=other, rows=rows, other_rows=other_rows)
        for split, other, rows, other_rows in sides
    ]
    assert leaks(overlap_counts) == [
        "leak: 5 of their test rows (bfcl) are in our training split: text, equal",
        "leak: 3 of our test rows are in their training split (bfcl): text, equal",
    ]
