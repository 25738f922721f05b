"""The enrich stage: nothing lost, resumable."""

import hashlib
import json
from itertools import chain
from pathlib import Path

import pandas as pd
import pytest

from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.shortcuts import shortcut_findings
from benchloom.normalise.shortcuts.leakage import REPORT
from benchloom.release import check_release, read_manifest
from benchloom.storage.tables import iter_records
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.release import release_stages
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.demo_world import SHORTCUTS


def prepared(workspace: Path) -> AnyStage:
    """Everything up to the enrich stage."""
    parse = run_stage(parse_shortcuts.prepare([SHORTCUTS], workspace))
    normalise = run_stage(normalise_shortcuts.prepare(parse), workspace)
    fingerprints = run_stage(fingerprint_shortcuts.prepare(normalise), workspace)
    return enrich_shortcuts.prepare(normalise, fingerprints).below(workspace)


def files_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".parquet", ".json"} and path.name != "stage.json"
    }


def test_release_holds_every_row_with_its_split(tmp_path: Path) -> None:
    stage = prepared(tmp_path)
    mark = run_stage(stage)
    release = release_stages([stage.path], tmp_path / "releases")
    check_release(release)
    parse, normalise, enrich = read_manifest(release).funnel
    assert normalise.kept == enrich.received == enrich.kept == mark.rows["shortcuts"]
    assert parse.kept == normalise.received
    rows = pd.read_parquet(release / "shortcuts")
    assert len(rows) == normalise.kept
    assert set(rows.split) <= {"train", "validation", "test"}
    assert not rows.evaluation.any()
    assert rows.evaluation_reasons.map(lambda reasons: "no_definitions" in reasons).all()
    assert (
        list(
            chain.from_iterable(
                map(shortcut_findings, iter_records(release, "shortcuts", Shortcut))
            )
        )
        == []
    )
    rejected = pd.read_parquet(release / "rejected")
    assert len(rejected) == sum(sum(step.reasons.values()) for step in (parse, normalise))


def test_a_second_run_makes_nothing_again_and_a_killed_one_goes_on(tmp_path: Path) -> None:
    stage = prepared(tmp_path)
    mark = run_stage(stage)
    before = files_of(stage.path)
    stamps = {path: path.stat().st_mtime_ns for path in stage.path.rglob("*.parquet")}
    assert run_stage(prepared(tmp_path)) == mark
    assert {path: path.stat().st_mtime_ns for path in stage.path.rglob("*.parquet")} == stamps
    (stage.path / "stage.json").unlink()
    (stage.path / "shards" / "00000.json").unlink()
    (stage.path / "shortcuts" / ".tmp-4194303-shortcuts-00000.parquet").write_bytes(b"half")
    assert run_stage(prepared(tmp_path)) == mark
    assert files_of(stage.path) == before


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
    # Few rows hold anything; more than one in ten would mean that ordinary values are lost.
    assert 20 <= redacted.sum() < len(rows) / 10
    by_cluster = rows.dropna(subset="near_duplicate_cluster").groupby("near_duplicate_cluster")
    assert (by_cluster.split.agg(set).map(len) == 1).all()
    assert (by_cluster.size() > 1).all()
