"""Stages reuse the rows of unchanged shortcuts; every byte equals that of a fresh run."""

import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from operator import ne
from pathlib import Path
from typing import Any

import pytest

from benchloom.core.records import Shortcut
from benchloom.normalise.redaction import redact_text
from benchloom.normalise.redaction.texts import Redacted
from benchloom.storage.tables import iter_records, writer
from benchmarks.growth import Pipeline
from benchmarks.worlds import expected, write_world
from flows.stages.shortcuts import enrich, join, parse

pytestmark = pytest.mark.long

COUNT, NEW = 36, 5
WATCHED = ((parse, "parse_shortcut"), (enrich, "enrich"), (join, "describe_calls"))


DEMO = Path(__file__).resolve().parents[4] / "demo"


@pytest.fixture(autouse=True)
def small_row_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several row groups in a file, which end by the sizes of rows."""
    monkeypatch.setattr(writer, "ROW_GROUP_BYTES", 30_000)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each stage makes a row."""
    row_counts: Counter[str] = Counter()

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any) -> Any:
            row_counts[name] += 1
            return work(*given)

        return counted

    for module, name in WATCHED:
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    return row_counts


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A world that was joined in `old` before every seventh shortcut came to it."""
    world = tmp_path / "world"
    write_world(COUNT, world)
    (archive,) = (world / "shortcuts").iterdir()
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(world / "shortcuts")
    archive.unlink()
    late = sorted(path for path in (world / "shortcuts").rglob("*") if path.is_file())[6::7]
    assert len(late) == NEW
    held = {path: path.read_bytes() for path in late}
    for path in held:
        path.unlink()
    Pipeline(world, tmp_path / "old").joined()
    for path, content in held.items():
        path.write_bytes(content)
    return world


def joined(world: Path, workspace: Path) -> dict[str, bytes]:
    """The files of the stages of a run."""
    pipeline = Pipeline(world, workspace)
    ends = [pipeline.shortcuts().path, pipeline.joined().path]
    folders = {path.parent for path in workspace.rglob("stage.json")}
    newest = {
        stage_folder.name.rpartition("-")[0]: stage_folder
        for stage_folder in sorted(folders, key=_age)
    }
    assert set(ends) <= set(newest.values())
    return {
        path.relative_to(workspace).as_posix(): path.read_bytes()
        for folder in newest.values()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _age(folder: Path) -> int:
    return (folder / "stage.json").stat().st_mtime_ns


def test_only_new_shortcuts_are_made(world: Path, tmp_path: Path, made: Counter[str]) -> None:
    again = joined(world, tmp_path / "old")
    rejected = sum(expected(COUNT).rejected.values())
    assert made["parse_shortcut"] <= NEW + rejected
    # Some that were there belong to a cluster now.
    assert NEW // 2 < made["describe_calls"] == made["enrich"] < 2 * NEW
    assert again == joined(world, tmp_path / "fresh")
    assert made["enrich"] >= expected(COUNT).shortcuts


def test_definitions_and_marks_of_apps_decide_joined_rows(
    world: Path, tmp_path: Path, made: Counter[str]
) -> None:
    joined(world, tmp_path / "old")
    for workspace in ("old", "fresh", "another"):
        (tmp_path / workspace).mkdir(exist_ok=True)
        (tmp_path / workspace / "apps.toml").write_text('["com.apple.mobiletimer"]\npaid = true\n')
    made.clear()
    again = joined(world, tmp_path / "old")
    assert (made["enrich"], made["describe_calls"]) == (0, expected(COUNT).shortcuts)
    assert again == joined(world, tmp_path / "fresh")
    shutil.copy(DEMO / "definitions" / "WFActions.json", world / "definitions")
    assert joined(world, tmp_path / "old") == joined(world, tmp_path / "another")


def test_texts_that_definitions_do_not_change_are_searched_once(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def noted(text: str, **how: Any) -> Redacted:
        searched.append(text)
        return redact_text(text, **how)

    monkeypatch.setattr(join, "redact_text", noted)
    joined(world, tmp_path / "fresh")
    assert searched == []
    shutil.copy(DEMO / "definitions" / "WFActions.json", world / "definitions")
    pipeline = Pipeline(world, tmp_path / "fresh")
    enriched, folder = pipeline.shortcuts().path, pipeline.joined().path
    before, after = (
        [row.workflow for row in iter_records(stage_folder, "shortcuts", Shortcut)]
        for stage_folder in (enriched, folder)
    )
    assert len(searched) == sum(map(ne, before, after)) > 0


def test_damage_in_what_was_made_before_costs_rows_alone(
    world: Path, tmp_path: Path, made: Counter[str]
) -> None:
    for path in (tmp_path / "old").rglob("*"):
        if path.parent.name == "shortcuts":
            path.write_bytes(path.read_bytes()[:-1] + b"?")
    again = joined(world, tmp_path / "old")
    assert made["enrich"] == made["describe_calls"] == expected(COUNT).shortcuts
    assert again == joined(world, tmp_path / "fresh")
