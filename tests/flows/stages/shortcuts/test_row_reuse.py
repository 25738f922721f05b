"""Check that stages reuse the rows of unchanged shortcuts and write the bytes of a fresh run."""

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
    """Write several row groups per file, which end depending on the sizes of rows."""
    monkeypatch.setattr(writer, "ROW_GROUP_BYTES", 30_000)


@pytest.fixture
def row_counts_by_stage(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how many rows each stage makes."""
    row_counts: Counter[str] = Counter()

    def count_calls(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            row_counts[name] += 1
            return work(*arguments)

        return counted

    for module, name in WATCHED:
        monkeypatch.setattr(module, name, count_calls(name, getattr(module, name)))
    return row_counts


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Return a world that was joined in `old` without every seventh of its shortcuts."""
    world = tmp_path / "world"
    write_world(COUNT, world)
    (archive,) = (world / "shortcuts").iterdir()
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(world / "shortcuts")
    archive.unlink()
    late = sorted(path for path in (world / "shortcuts").rglob("*") if path.is_file())[6::7]
    assert len(late) == NEW
    content_by_path = {path: path.read_bytes() for path in late}
    for path in content_by_path:
        path.unlink()
    Pipeline(world, tmp_path / "old").joined()
    for path, content in content_by_path.items():
        path.write_bytes(content)
    return world


def join_world(world: Path, workspace: Path) -> dict[str, bytes]:
    """Run the stages and return the files of the newest folder of each stage."""
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


def test_only_new_shortcuts_make_rows(
    world: Path, tmp_path: Path, row_counts_by_stage: Counter[str]
) -> None:
    again = join_world(world, tmp_path / "old")
    rejected = sum(expected(COUNT).rejected.values())
    assert row_counts_by_stage["parse_shortcut"] <= NEW + rejected
    # Some earlier shortcuts now belong to a cluster.
    assert (
        NEW // 2 < row_counts_by_stage["describe_calls"] == row_counts_by_stage["enrich"] < 2 * NEW
    )
    assert again == join_world(world, tmp_path / "fresh")
    assert row_counts_by_stage["enrich"] >= expected(COUNT).shortcuts


def test_changed_app_marks_and_definitions_make_joined_rows_again(
    world: Path, tmp_path: Path, row_counts_by_stage: Counter[str]
) -> None:
    join_world(world, tmp_path / "old")
    for workspace in ("old", "fresh", "another"):
        (tmp_path / workspace).mkdir(exist_ok=True)
        (tmp_path / workspace / "apps.toml").write_text('["com.apple.mobiletimer"]\npaid = true\n')
    row_counts_by_stage.clear()
    again = join_world(world, tmp_path / "old")
    assert (row_counts_by_stage["enrich"], row_counts_by_stage["describe_calls"]) == (
        0,
        expected(COUNT).shortcuts,
    )
    assert again == join_world(world, tmp_path / "fresh")
    shutil.copy(DEMO / "definitions" / "WFActions.json", world / "definitions")
    assert join_world(world, tmp_path / "old") == join_world(world, tmp_path / "another")


def test_only_texts_changed_by_definitions_are_searched_again(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched_texts: list[str] = []

    def record_text(text: str, **options: Any) -> Redacted:
        searched_texts.append(text)
        return redact_text(text, **options)

    monkeypatch.setattr(join, "redact_text", record_text)
    join_world(world, tmp_path / "fresh")
    assert searched_texts == []
    shutil.copy(DEMO / "definitions" / "WFActions.json", world / "definitions")
    pipeline = Pipeline(world, tmp_path / "fresh")
    enriched, folder = pipeline.shortcuts().path, pipeline.joined().path
    before, after = (
        [row.workflow for row in iter_records(stage_folder, "shortcuts", Shortcut)]
        for stage_folder in (enriched, folder)
    )
    assert len(searched_texts) == sum(map(ne, before, after)) > 0


def test_damaged_earlier_rows_are_made_again(
    world: Path, tmp_path: Path, row_counts_by_stage: Counter[str]
) -> None:
    for path in (tmp_path / "old").rglob("*"):
        if path.parent.name == "shortcuts":
            path.write_bytes(path.read_bytes()[:-1] + b"?")
    again = join_world(world, tmp_path / "old")
    assert (
        row_counts_by_stage["enrich"]
        == row_counts_by_stage["describe_calls"]
        == expected(COUNT).shortcuts
    )
    assert again == join_world(world, tmp_path / "fresh")
