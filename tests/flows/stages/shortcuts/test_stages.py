"""Check that stages from files to a release give the same bytes in any order and after kills."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.dataset as ds
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.shortcuts import shortcut_findings
from benchloom.normalise.shortcuts.leakage import REPORT
from benchloom.release import check_release, list_releases, read_manifest
from benchloom.storage.tables import iter_records
from benchloom.storage.workspace import read_mark
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.release import release_stages
from tests.support.demo_world import SHORTCUTS
from tests.support.shortcut_stages import build
from tests.support.soak import samples


def table_bytes(release: Path) -> dict[str, str]:
    return {
        path.relative_to(release).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(release.rglob("*.parquet"))
    }


@pytest.mark.long
def test_release_depends_on_neither_order_nor_workers(tmp_path: Path) -> None:
    halves: list[Path] = []
    paths = sorted(path for path in SHORTCUTS.rglob("*") if path.is_file())
    for name, chosen in (("a.zip", paths[::2]), ("b.zip", paths[1::2])):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for path in chosen:
                archive.write(path, path.relative_to(SHORTCUTS).as_posix())
        halves.append(tmp_path / name)
    first = build(halves, tmp_path / "one")
    second = build(halves[::-1], tmp_path / "elsewhere" / "two", workers=2)
    assert table_bytes(first) == table_bytes(second)
    assert read_manifest(first).content_digest == read_manifest(second).content_digest


def test_funnel_adds_up_and_every_merge_has_its_reason(built_release: Path) -> None:
    parse, normalise, enriched = read_manifest(built_release).funnel
    assert normalise.kept == enriched.received == enriched.kept
    assert parse.received == sum(1 for path in SHORTCUTS.rglob("*") if path.is_file())
    assert parse.kept == normalise.received == 53
    assert normalise.reasons.keys() == {
        "duplicate_actions",
        "duplicate_bytes",
        "duplicate_renamed",
    }
    rows = pd.read_parquet(built_release / "shortcuts")
    assert len(rows) == normalise.kept
    assert set(rows.split) <= {"train", "validation", "test"}
    assert not rows.evaluation.any()
    assert rows.evaluation_reasons.map(lambda reasons: "no_definitions" in reasons).all()
    shortcuts = iter_records(built_release, "shortcuts", Shortcut)
    assert [finding for row in shortcuts for finding in shortcut_findings(row)] == []
    rejected = pd.read_parquet(built_release / "rejected")
    assert len(rejected) == sum(sum(step.reasons.values()) for step in (parse, normalise))
    empty = rows[rows.action_count == 0]
    assert sorted(empty.source_uri) == ["odd/empty-one.plist", "odd/empty-two.shortcut"]
    assert rows[rows.action_count > 0].shortcut_id.is_unique


def test_second_run_writes_no_file(workspace_copy: Path) -> None:
    stamps = {path: path.stat().st_mtime_ns for path in workspace_copy.rglob("*.parquet")}
    assert build([SHORTCUTS], workspace_copy) == workspace_copy / "releases" / "0.1.0"
    assert {path: path.stat().st_mtime_ns for path in workspace_copy.rglob("*.parquet")} == stamps
    assert list_releases(workspace_copy / "releases") == ["0.1.0"]


def test_new_or_rejected_inputs_raise_the_minor_version(tmp_path: Path) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    for name in ("price-of-gold.plist", "packing-list.plist"):
        (inputs / name).write_bytes((SHORTCUTS / name).read_bytes())
    assert build([inputs], tmp_path / "w").name == "0.1.0"
    (inputs / "read-later.shortcut").write_bytes((SHORTCUTS / "read-later.shortcut").read_bytes())
    assert build([inputs], tmp_path / "w").name == "0.2.0"
    (inputs / "note.txt").write_text("no shortcut")
    assert build([inputs], tmp_path / "w").name == "0.3.0"
    assert list_releases(tmp_path / "w" / "releases") == ["0.1.0", "0.2.0", "0.3.0"]


def test_existing_release_is_never_changed(workspace_copy: Path) -> None:
    stage = next((workspace_copy / "normalised").glob("enriched-*"))
    with pytest.raises(RunError, match="is never changed"):
        release_stages([stage], workspace_copy / "releases", "0.1.0")
    with pytest.raises(RunError, match="not a version"):
        release_stages([stage], workspace_copy / "releases", "one")


def test_flipped_bit_is_found_in_every_file(workspace_copy: Path) -> None:
    release = workspace_copy / "releases" / "0.1.0"
    check_release(release)
    generator = random.Random(7)
    for path in sorted(path for path in release.rglob("*") if path.is_file()):
        original = path.read_bytes()
        position = generator.randrange(len(original))
        path.write_bytes(
            original[:position] + bytes([original[position] ^ 4]) + original[position + 1 :]
        )
        with pytest.raises(GateError) as caught:
            check_release(release)
        name = path.relative_to(release).as_posix()
        expected_start = "manifest.json" if name == "manifest.sha256" else name
        assert any(finding.startswith(expected_start) for finding in caught.value.findings)
        path.write_bytes(original)
    check_release(release)


def test_missing_and_foreign_files_are_named(workspace_copy: Path) -> None:
    release = workspace_copy / "releases" / "0.1.0"
    (release / "shortcuts" / "shortcuts-00009.parquet").write_bytes(b"x")
    (release / "rejected" / "unsplit-00000-of-00001.parquet").unlink()
    with pytest.raises(GateError) as caught:
        check_release(release)
    assert caught.value.findings == (
        "shortcuts/shortcuts-00009.parquet: is not in the manifest",
        "rejected/unsplit-00000-of-00001.parquet: is missing",
    )


@pytest.mark.real_data
@pytest.mark.slow
def test_release_of_real_files_is_read_by_other_libraries(rebuilt_workspace: Path) -> None:
    (manifest,) = rebuilt_workspace.glob("releases/*/manifest.json")
    release = manifest.parent
    rows = read_manifest(release).tables()["shortcuts"]
    folder = release / "shortcuts"
    frame = pd.read_parquet(folder)
    table = ds.dataset(folder).to_table()
    answer = (
        duckdb.connect()
        .execute(
            f"select count(*), sum(len(actions)), max(actions[1].arguments[1].name) "  # noqa: S608  the names are written in the test
            f"from '{folder}/*.parquet'"
        )
        .fetchone()
    )
    assert answer is not None
    assert len(frame) == table.num_rows == answer[0] == rows
    assert answer[1] == frame.action_count.sum()
    first = table.slice(0, 1).to_pylist()[0]
    assert first["actions"][0]["identifier"] == frame.actions[0][0]["identifier"]


@pytest.mark.real_data
@pytest.mark.slow
def test_real_archive_is_redacted_and_split_without_leakage(real_shortcuts: AnyStage) -> None:
    stage = real_shortcuts
    mark = run_stage(stage)
    assert mark.rows["shortcuts"] == mark.objects > 500
    report = json.loads((stage.path / REPORT).read_bytes())
    assert report["exact_across_splits"] == report["near_across_splits"] == 0
    assert report["clusters"] >= 20
    rows = pd.read_parquet(stage.path / "shortcuts")
    redacted = rows.redactions.map(len) > 0
    # More redacted rows than one in ten would mean that ordinary values are redacted.
    assert 20 <= redacted.sum() < len(rows) / 10
    by_cluster = rows.dropna(subset="near_duplicate_cluster").groupby("near_duplicate_cluster")
    assert (by_cluster.split.agg(set).map(len) == 1).all()
    assert (by_cluster.size() > 1).all()


BUILD = """
import sys
from pathlib import Path
from tests.support.shortcut_stages import build
build([Path(sys.argv[1])], Path(sys.argv[2]), workers=int(sys.argv[3]), part_bytes=8_000)
"""


def count_of_entries(folder: Path) -> int:
    """Return the number of files and folders below a folder that may change meanwhile."""
    return sum(len(folders) + len(files) for _, folders, files in os.walk(folder))


@pytest.mark.long
@pytest.mark.slow
def test_build_after_random_kills_gives_the_same_bytes(tmp_path: Path, built_release: Path) -> None:
    entry_count = count_of_entries(built_release.parents[1])
    expected = table_bytes(built_release)
    generator = random.Random(20261122)
    workspace = tmp_path / "killed"
    for kill in range(samples(2, 6)):
        command = [sys.executable, "-c", BUILD, str(SHORTCUTS), str(workspace), str(1 + kill % 2)]
        # The kills fall into the first, the second and the last third of the writes in turn.
        kill_count = entry_count * (kill % 3 + generator.random()) / 3
        run = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
        while run.poll() is None and count_of_entries(workspace) < kill_count:
            time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        if kill % 3 == 2:
            # Every third kill, finish and use a new workspace, so that kills fall into every stage.
            final = build([SHORTCUTS], workspace)
            assert table_bytes(final) == expected
            workspace = tmp_path / f"killed-{kill}"
    assert table_bytes(build([SHORTCUTS], workspace)) == expected
    marks = [read_mark(path) for path in (workspace / "parsed").iterdir()]
    assert all(mark is not None for mark in marks)
