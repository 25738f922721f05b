"""A rebuild as Prefect shows it: names, logs, artifacts, and nothing private."""

import asyncio
import json
import re
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from flows.engine.artifacts import card_text, release_text
from tests.support.commands import call_in_process
from tests.support.prefect_server import Api
from tests.support.small_rebuild import RELEASE_ASSET, SECRET, SmallRebuild, asset_events

pytestmark = pytest.mark.prefect

STAGES = {
    "convert-sgd",
    "enrich-shortcuts",
    "evaluation-split",
    "execute-shortcuts",
    "fingerprint-shortcuts",
    "normalise-definitions",
    "normalise-plans",
    "normalise-shortcuts",
    "parse-definitions",
    "parse-shortcuts",
}


@pytest.fixture
def seen(small_rebuild: SmallRebuild) -> SmallRebuild:
    """A rebuild with every kind of stage, one of several shards."""
    return small_rebuild


def test_the_funnel_is_that_of_the_manifest(seen: SmallRebuild) -> None:
    rows = json.loads(seen.artifacts["funnel"]["data"])
    assert [row["stage"] for row in rows] == [step.stage for step in seen.manifest.funnel]
    for row, step in zip(rows, seen.manifest.funnel, strict=True):
        assert (row["received"], row["kept"]) == (step.received, step.kept)
        assert row["left out"] == step.received - step.kept
        reason_counts = re.findall(r"(\d+) (\w+)", row["left out by reason"])
        assert {reason: int(count) for count, reason in reason_counts} == dict(step.reasons)
    assert any(row["left out"] for row in rows)


def test_the_release_leads_to_its_documents(
    seen: SmallRebuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = seen.artifacts["release"]["data"]
    paths = [Path(path) for path in re.findall(r"`(/[^`]+)`", text)]
    assert {path.name for path in paths} >= {"report.html", "README.md", "manifest.json"}
    assert all(path.is_file() for path in paths)
    links = re.findall(r"\]\(file://([^)]+)\)", text)
    assert [Path(link) for link in links] == paths
    for table, rows in seen.manifest.tables().items():
        assert f"| {table} | {rows} |" in text
    card = seen.artifacts["card"]["data"]
    assert card.lstrip().startswith("# benchloom 0.1.0")
    assert all(Path(link).exists() for link in re.findall(r"\]\(file://([^)#]+)\)", card))
    assert not re.search(r"\]\((?![a-z]+:|#)", card)
    # As a deployment names its workspace: from where it runs.
    monkeypatch.chdir(seen.release.parent)
    here = Path(seen.release.name)
    assert release_text(seen.manifest, here) == text.removesuffix("\n") + "\n"
    assert card_text((here / "README.md").read_text(), here) == card


def test_they_stand_on_the_page_of_the_rebuild(seen: SmallRebuild) -> None:
    for key in ("funnel", "release", "card"):
        assert seen.artifacts[key]["flow_run_id"] == seen.root()["id"]


def test_every_stage_shows_its_figures_and_its_progress(seen: SmallRebuild) -> None:
    for stage in STAGES:
        rows = json.loads(seen.artifacts[stage]["data"])
        figures = {row["what"]: row["count"] for row in rows}
        step = next((step for step in seen.manifest.funnel if step.stage == stage), None)
        if step is not None:
            assert figures["objects read"] == step.received
            assert figures["kept"] == step.kept
        assert re.match(rf"{stage}: \d+ read, \d+ kept", seen.artifacts[stage]["description"])
        assert seen.artifacts[f"progress-{stage}"]["data"] == 100
    assert {"generate-instruction", "planning-paths"} <= seen.artifacts.keys()
    assert seen.moves.keys() == {f"progress-{stage}" for stage in STAGES}
    assert all(percentages == sorted(percentages) for percentages in seen.moves.values())
    moving = [percentages for percentages in seen.moves.values() if len(percentages) > 1]
    assert {(percentages[0], percentages[-1]) for percentages in moving} == {(0, 100)}
    # Of a stage with one shard there is only an end to show.
    assert all(
        percentages == [100] for percentages in seen.moves.values() if percentages not in moving
    )
    assert any(0 < value < 100 for percentages in seen.moves.values() for value in percentages)


def test_every_stage_is_one_task_of_the_only_flow_run(seen: SmallRebuild) -> None:
    (run,) = seen.flow_runs
    assert (seen.flows[run["flow_id"]], run["name"]) == (
        "rebuild",
        "rebuild shop from rebuild.toml",
    )
    assert {task["state_name"] for task in seen.task_runs} == {"Completed"}
    assert {task["flow_run_id"] for task in seen.task_runs} == {run["id"]}
    names = sorted(task["name"] for task in seen.task_runs)
    staged = [name.partition(": ") for name in names if ": " in name]
    assert [stage for stage, _, _ in staged] == sorted(STAGES)
    assert all(re.fullmatch(r"(\d+) of \1 shards", shards) for _, _, shards in staged)
    assert [name for name in names if ": " not in name] == [
        "build and check",
        "write instruction",
        "write query",
    ]


def test_the_release_and_its_tables_are_assets_of_the_task_that_built_them(
    seen: SmallRebuild,
) -> None:
    (task,) = [task for task in seen.task_runs if task["name"] == "build and check"]
    of_task = f"prefect.task-run.{task['id']}"
    for event in seen.assets.values():
        assert of_task in {related["prefect.resource.id"] for related in event["related"]}
        assert event["payload"]["version"] == seen.manifest.version
    assert seen.assets[RELEASE_ASSET]["payload"]["content_digest"] == seen.content_digest
    rows = {
        key.removeprefix(f"{RELEASE_ASSET}/"): event["payload"]["rows"]
        for key, event in seen.assets.items()
        if key != RELEASE_ASSET
    }
    assert rows == seen.manifest.tables()


def publish_release(target: str, workspace: Path, release: Path) -> None:
    from flows.publish import publish

    asyncio.run(publish([target], workspace, release))


def test_a_publication_is_an_asset_made_from_the_release(
    seen: SmallRebuild, prefect_url: str, tmp_path: Path
) -> None:
    since = datetime.now(UTC).isoformat()
    target = tmp_path / "published"
    publication = partial(publish_release, str(target), tmp_path, seen.release)
    assert call_in_process(publication, seen.environment) == 0
    with closing(Api(prefect_url)) as api:
        event = asset_events(api, since, {target.as_uri()})[target.as_uri()]
    assert event["payload"]["content_digest"] == seen.content_digest
    assert RELEASE_ASSET in {related["prefect.resource.id"] for related in event["related"]}


def test_the_log_of_the_rebuild_tells_what_every_stage_did(seen: SmallRebuild) -> None:
    lines = seen.lines(seen.root())
    for step in seen.manifest.funnel:
        if step.stage in STAGES:
            start = f"{step.stage}: {step.received} read, {step.kept} kept"
            assert sum(line.startswith(start) for line in lines) == 1
    assert f"{seen.release / 'report.html'}" in lines[-2]
    assert "INFO" not in seen.errors


def test_nothing_private_is_shown(seen: SmallRebuild) -> None:
    json_text = json.dumps(
        [list(seen.artifacts.values()), seen.logs, seen.flow_runs, seen.task_runs]
    )
    assert SECRET not in json_text
    assert str(seen.release) in json_text
    assert str(seen.release.parents[2] / "home") not in json_text


def test_there_are_few_records_per_run(seen: SmallRebuild) -> None:
    by_run: dict[str, int] = {}
    for log in seen.logs:
        by_run[log["flow_run_id"]] = by_run.get(log["flow_run_id"], 0) + 1
    assert max(by_run.values()) <= 60
