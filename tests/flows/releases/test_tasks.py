"""Check that tasks are built, released and proved alike each time, and that faults are named."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import RunError
from benchloom.core.records import Task
from benchloom.release import check_release, read_manifest
from benchloom.release.gates import GATES, gate_findings, view_gate
from benchloom.storage.tables import iter_records, read_rows, table_parts
from benchloom.worlds.proofs import task_of
from flows.cli import build_app
from flows.stages.release import release_stages
from tests.flows.releases.test_gates import Row, damage_table, findings_of

_COUNT = 8


def _build_tasks(out: Path, *options: str) -> dict[str, Any]:
    """Build tasks with distractors by the command, and return its summary."""
    command = ["world", "build", "everyday", "--count", str(_COUNT), "--json", "--out", str(out)]
    done = CliRunner().invoke(build_app(), [*command, "--distractors", "4", *options])
    assert done.exit_code == 0, done.output
    summary: dict[str, Any] = msgspec.json.decode(done.stdout)
    return summary


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tasks") / "stage"
    summary = _build_tasks(out)
    assert summary["rows"]["tasks"] == _COUNT
    assert summary["objects"] == _COUNT + summary["rows"]["rejected"]
    return out


@pytest.fixture(scope="module")
def release(stage: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_stages([stage], tmp_path_factory.mktemp("tasks") / "releases")


def test_tasks_do_not_depend_on_number_of_workers(stage: Path, tmp_path: Path) -> None:
    _build_tasks(tmp_path / "again", "--workers", "2")
    for name in ("tasks.parquet", "rejected.parquet"):
        assert (tmp_path / "again" / name).read_bytes() == (stage / name).read_bytes()


def test_release_contains_the_tasks_unchanged(release: Path, stage: Path) -> None:
    manifest = check_release(release)
    assert manifest.tables()["tasks"] == _COUNT
    released = list(iter_records(release, "tasks", Task))
    assert released == list(iter_records(stage, "tasks", Task))
    for row in released:
        assert len(task_of(row).distractors) == 4
    assert "tasks" in (release / "README.md").read_text()


_UNSAID_WORDS = [{"argument": "time", "words": "nobody says this"}]
CHANGES: dict[str, tuple[Callable[[Row], object], str]] = {
    "digest": (lambda row: row.update(gold_digest=row["gold_digest"][:-1] + "-"), "gold_digest is"),
    "literal": (lambda row: row.update(turns=["Do something."]), "underivable"),
    "json": (lambda row: row["calls"][0].update(arguments="[" * 100_000), ""),
    "suite": (
        lambda row: row.update(suite="everydya"),
        "unknown_start: unknown suite 'everydya'; did you mean",
    ),
    "calls": (lambda row: row.update(calls=row["calls"] * 10_000), "too_long"),
    "proof": (lambda row: row["proofs"].update(dropped=99), "proofs is"),
    "distractor": (lambda row: row["distractors"].__setitem__(0, "alarms.sing"), "distractors is"),
    "rungs": (lambda row: row["distractors"].reverse(), "distractors is"),
    "said": (lambda row: row["calls"][0].update(said=_UNSAID_WORDS), "underivable"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_task_is_named_by_the_gate(release: Path, tmp_path: Path, name: str) -> None:
    change, finding_start = CHANGES[name]

    def forge(rows: list[Row]) -> str:
        change(rows[0])
        return f"{rows[0]['task_id']}: {finding_start}"

    copy = tmp_path / "0.1.0"
    shutil.copytree(release, copy)
    expected_text = damage_table(copy, "tasks", forge)
    (finding, *further_findings) = gate_findings(
        GATES.find("tasks"), view_gate(copy, read_manifest(copy))
    )
    assert expected_text in finding
    assert "\n" not in finding
    assert len(finding) < 1000
    assert all(
        expected_text.split(":")[0] in further_finding or "task_id" in further_finding
        for further_finding in further_findings
    )
    if name == "proof":
        assert expected_text in findings_of(copy), "release check has this gate"


@pytest.mark.parametrize(
    ("gate", "column", "value"), [("licences", "licence", " "), ("splits", "split", "tset")]
)
def test_task_with_blank_licence_or_unknown_split_is_named(
    release: Path, tmp_path: Path, gate: str, column: str, value: str
) -> None:
    def change(rows: list[Row]) -> str:
        rows[0][column] = value
        return f"tasks: {rows[0]['task_id']}: "

    assert not list(gate_findings(GATES.find(gate), view_gate(release, read_manifest(release))))
    copy = tmp_path / "0.1.0"
    shutil.copytree(release, copy)
    expected_start = damage_table(copy, "tasks", change)
    (finding,) = gate_findings(GATES.find(gate), view_gate(copy, read_manifest(copy)))
    assert finding.startswith(expected_start)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["everyday"], "pass --count N, the number of tasks to draw"),
        (["everydya", "--count", "1"], "did you mean 'everyday'?"),
    ],
)
def test_wrong_arguments_of_world_build_are_refused(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(
        build_app(), ["world", "build", *arguments, "--out", str(tmp_path / "out")]
    )
    assert isinstance(done.exception, RunError), done.output
    assert message in str(done.exception)


def test_rejected_candidates_have_the_reason_of_a_failed_proof(stage: Path) -> None:
    (part,) = table_parts(stage, "rejected")
    for row in read_rows(part).to_pylist():
        assert row["reason"] in {"redundant_call", "idle_argument", "no_need"}
        assert row["source_uri"] == "everyday"


def test_every_task_has_a_page_with_its_calls(release: Path, stage: Path) -> None:
    pages = sorted((release / "sample" / "tasks").glob("*.html"))
    assert len(pages) == _COUNT
    texts = [page.read_text() for page in pages]
    rows = list(iter_records(stage, "tasks", Task))
    for row in rows:
        (text,) = [page_text for page_text in texts if row.task_id in page_text]
        assert text.count("<rect") == len(row.calls)
        assert text.count("✓") >= 6
        assert ("<table>" in text) == (row.gold_digest != row.start_digest)
    assert not any("is not available" in page_text for page_text in texts)
