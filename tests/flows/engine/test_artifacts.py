"""Check the names, logs and artifacts that Prefect shows of a rebuild; none contains a secret."""

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
def finished_rebuild(small_rebuild: SmallRebuild) -> SmallRebuild:
    """Return a rebuild with every kind of stage, one of which has several shards."""
    return small_rebuild


def test_funnel_artifact_equals_the_manifest_funnel(finished_rebuild: SmallRebuild) -> None:
    rows = json.loads(finished_rebuild.artifacts["funnel"]["data"])
    assert [row["stage"] for row in rows] == [
        step.stage for step in finished_rebuild.manifest.funnel
    ]
    for row, step in zip(rows, finished_rebuild.manifest.funnel, strict=True):
        assert (row["received"], row["kept"]) == (step.received, step.kept)
        assert row["left out"] == step.received - step.kept
        reason_counts = re.findall(r"(\d+) (\w+)", row["left out by reason"])
        assert {reason: int(count) for count, reason in reason_counts} == dict(step.reasons)
    assert any(row["left out"] for row in rows)


def test_release_artifact_links_to_existing_documents(
    finished_rebuild: SmallRebuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = finished_rebuild.artifacts["release"]["data"]
    paths = [Path(path) for path in re.findall(r"`(/[^`]+)`", text)]
    assert {path.name for path in paths} >= {"report.html", "README.md", "manifest.json"}
    assert all(path.is_file() for path in paths)
    links = re.findall(r"\]\(file://([^)]+)\)", text)
    assert [Path(link) for link in links] == paths
    for table, rows in finished_rebuild.manifest.tables().items():
        assert f"| {table} | {rows} |" in text
    card = finished_rebuild.artifacts["card"]["data"]
    assert card.lstrip().startswith("# benchloom 0.1.0")
    assert all(Path(link).exists() for link in re.findall(r"\]\(file://([^)#]+)\)", card))
    assert not re.search(r"\]\((?![a-z]+:|#)", card)
    # A deployment names its workspace by a path relative to its working folder.
    monkeypatch.chdir(finished_rebuild.release.parent)
    here = Path(finished_rebuild.release.name)
    assert release_text(finished_rebuild.manifest, here) == text.removesuffix("\n") + "\n"
    assert card_text((here / "README.md").read_text(), here) == card


def test_artifacts_belong_to_the_flow_run_of_the_rebuild(finished_rebuild: SmallRebuild) -> None:
    for key in ("funnel", "release", "card"):
        assert finished_rebuild.artifacts[key]["flow_run_id"] == finished_rebuild.root()["id"]


def test_every_stage_shows_its_figures_and_progress(finished_rebuild: SmallRebuild) -> None:
    for stage in STAGES:
        rows = json.loads(finished_rebuild.artifacts[stage]["data"])
        figures = {row["what"]: row["count"] for row in rows}
        step = next(
            (step for step in finished_rebuild.manifest.funnel if step.stage == stage), None
        )
        if step is not None:
            assert figures["objects read"] == step.received
            assert figures["kept"] == step.kept
        assert re.match(
            rf"{stage}: \d+ read, \d+ kept", finished_rebuild.artifacts[stage]["description"]
        )
        assert finished_rebuild.artifacts[f"progress-{stage}"]["data"] == 100
    assert {"generate-instruction", "planning-paths"} <= finished_rebuild.artifacts.keys()
    assert finished_rebuild.moves.keys() == {f"progress-{stage}" for stage in STAGES}
    assert all(
        percentages == sorted(percentages) for percentages in finished_rebuild.moves.values()
    )
    moving = [
        percentages for percentages in finished_rebuild.moves.values() if len(percentages) > 1
    ]
    assert {(percentages[0], percentages[-1]) for percentages in moving} == {(0, 100)}
    # The progress of a stage with one shard shows only its end.
    assert all(
        percentages == [100]
        for percentages in finished_rebuild.moves.values()
        if percentages not in moving
    )
    assert any(
        0 < value < 100 for percentages in finished_rebuild.moves.values() for value in percentages
    )


def test_every_stage_is_one_task_of_the_flow_run(finished_rebuild: SmallRebuild) -> None:
    (run,) = finished_rebuild.flow_runs
    assert (finished_rebuild.flows[run["flow_id"]], run["name"]) == (
        "rebuild",
        "rebuild shop from rebuild.toml",
    )
    assert {task["state_name"] for task in finished_rebuild.task_runs} == {"Completed"}
    assert {task["flow_run_id"] for task in finished_rebuild.task_runs} == {run["id"]}
    names = sorted(task["name"] for task in finished_rebuild.task_runs)
    name_parts = [name.partition(": ") for name in names if ": " in name]
    assert [stage for stage, _, _ in name_parts] == sorted(STAGES)
    assert all(re.fullmatch(r"(\d+) of \1 shards", shards) for _, _, shards in name_parts)
    assert [name for name in names if ": " not in name] == [
        "build and check",
        "write instruction",
        "write query",
    ]


def test_release_and_tables_are_assets_of_the_build_task(
    finished_rebuild: SmallRebuild,
) -> None:
    (task,) = [task for task in finished_rebuild.task_runs if task["name"] == "build and check"]
    task_resource = f"prefect.task-run.{task['id']}"
    for event in finished_rebuild.assets.values():
        assert task_resource in {related["prefect.resource.id"] for related in event["related"]}
        assert event["payload"]["version"] == finished_rebuild.manifest.version
    assert (
        finished_rebuild.assets[RELEASE_ASSET]["payload"]["content_digest"]
        == finished_rebuild.content_digest
    )
    rows = {
        key.removeprefix(f"{RELEASE_ASSET}/"): event["payload"]["rows"]
        for key, event in finished_rebuild.assets.items()
        if key != RELEASE_ASSET
    }
    assert rows == finished_rebuild.manifest.tables()


def publish_release(target: str, workspace: Path, release: Path) -> None:
    from flows.publish import publish

    asyncio.run(publish([target], workspace, release))


def test_publication_is_an_asset_derived_from_the_release(
    finished_rebuild: SmallRebuild, prefect_url: str, tmp_path: Path
) -> None:
    since = datetime.now(UTC).isoformat()
    target = tmp_path / "published"
    publication = partial(publish_release, str(target), tmp_path, finished_rebuild.release)
    assert call_in_process(publication, finished_rebuild.environment) == 0
    with closing(Api(prefect_url)) as api:
        event = asset_events(api, since, {target.as_uri()})[target.as_uri()]
    assert event["payload"]["content_digest"] == finished_rebuild.content_digest
    assert RELEASE_ASSET in {related["prefect.resource.id"] for related in event["related"]}


def test_rebuild_log_has_one_line_per_stage(finished_rebuild: SmallRebuild) -> None:
    lines = finished_rebuild.lines(finished_rebuild.root())
    for step in finished_rebuild.manifest.funnel:
        if step.stage in STAGES:
            start = f"{step.stage}: {step.received} read, {step.kept} kept"
            assert sum(line.startswith(start) for line in lines) == 1
    assert f"{finished_rebuild.release / 'report.html'}" in lines[-2]
    assert "INFO" not in finished_rebuild.errors


def test_artifacts_and_logs_contain_no_secrets(finished_rebuild: SmallRebuild) -> None:
    json_text = json.dumps(
        [
            list(finished_rebuild.artifacts.values()),
            finished_rebuild.logs,
            finished_rebuild.flow_runs,
            finished_rebuild.task_runs,
        ]
    )
    assert SECRET not in json_text
    assert str(finished_rebuild.release) in json_text
    assert str(finished_rebuild.release.parents[2] / "home") not in json_text


def test_run_has_at_most_60_log_records(finished_rebuild: SmallRebuild) -> None:
    by_run: dict[str, int] = {}
    for log in finished_rebuild.logs:
        by_run[log["flow_run_id"]] = by_run.get(log["flow_run_id"], 0) + 1
    assert max(by_run.values()) <= 60
