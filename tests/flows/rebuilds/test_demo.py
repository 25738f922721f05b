"""Check that `benchloom demo` runs every stage on loopback and ends in a documented release."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from benchloom.release import check_release
from tests.support.prefect_server import DATABASE

DEFINITIONS = Path(__file__).parents[3] / "demo/definitions/WFActions.json"
pytestmark = pytest.mark.prefect


def read_table(demo_release: Path, table: str) -> pd.DataFrame:
    return pd.read_parquet(demo_release / table)


def test_demo_release_is_sound_and_contains_every_table(demo_release: Path) -> None:
    rows = check_release(demo_release).tables()
    assert rows["shortcuts"] >= 200
    assert rows["listings"] >= 300
    assert {
        "api_definitions",
        "apps",
        "captures",
        "definition_checks",
        "executions",
        "icloud_records",
        "planning_paths",
        "queries",
        "rejected",
        "verdicts",
    } <= rows.keys()


def test_most_shortcuts_are_evaluable_and_others_state_a_reason(demo_release: Path) -> None:
    shortcuts, definitions = (
        read_table(demo_release, "shortcuts"),
        read_table(demo_release, "api_definitions"),
    )
    defined = json.loads(DEFINITIONS.read_bytes()).keys()
    assert defined <= set(definitions.api)
    called = shortcuts.actions.map(
        lambda actions: {action["identifier"] for action in actions if not action["control"]}
    )
    # Most are recipes over actions that the demo defines, and nearly all of those are eligible.
    recipes = shortcuts[called.map(lambda names: names <= defined)]
    assert len(recipes) > 0.75 * len(shortcuts)
    assert recipes.evaluation.mean() > 0.9
    assert (shortcuts.evaluation == (shortcuts.evaluation_reasons.map(len) == 0)).all()
    reasons = set(shortcuts.evaluation_reasons.explode().dropna())
    assert {"missing_definition", "runs_other_shortcut", "too_long"} <= reasons
    # A workflow names actions by the titles in their definitions, not as function calls.
    evaluated = shortcuts[shortcuts.evaluation]
    assert not evaluated.workflow.str.contains(
        r"^\s*(?:gettext|showresult|delay)\(", regex=True
    ).any()
    assert evaluated.workflow.str.contains("Show ").mean() > 0.5


def test_shortcuts_are_traceable_to_their_captures(demo_release: Path) -> None:
    shortcuts, records = (
        read_table(demo_release, "shortcuts"),
        read_table(demo_release, "icloud_records"),
    )
    listings, captures = read_table(demo_release, "listings"), read_table(demo_release, "captures")
    capture_ids = set(captures.capture_id)
    by_id = records.set_index("icloud_id")
    crawled = shortcuts[shortcuts.icloud_ids.map(len) > 0]
    assert len(crawled) > 150
    for ids in crawled.icloud_ids:
        for icloud_id in ids:
            record = by_id.loc[icloud_id]
            assert {record.record_capture, record.asset_capture} <= capture_ids
    listed = listings[listings.capture.notna()]
    assert set(listed.capture) <= capture_ids
    available = records[records.state == "available"]
    assert set(available.icloud_id) == {i for ids in crawled.icloud_ids for i in ids}
    assert set(available.icloud_id) <= set(listings.icloud_id.dropna())


def test_names_of_captured_shortcuts_come_from_records(demo_release: Path) -> None:
    shortcuts, records = (
        read_table(demo_release, "shortcuts"),
        read_table(demo_release, "icloud_records"),
    )
    names = records.set_index("icloud_id").name
    crawled = shortcuts[shortcuts.icloud_ids.map(len) > 0]
    assert crawled.name.notna().mean() > 0.95
    assert any(
        names[ids[0]] == name for ids, name in zip(crawled.icloud_ids, crawled.name, strict=True)
    )


def test_queries_name_their_generator_and_have_verdicts(demo_release: Path) -> None:
    queries, verdicts = read_table(demo_release, "queries"), read_table(demo_release, "verdicts")
    assert set(queries.generator) == {"template", "given"}
    assert set(queries[queries.split.isna()].generator) <= {"template"}
    assert set(queries.category.dropna()) <= set(queries[queries.kind == "category"].category)
    training = queries[queries.split == "train"]
    assert set(training.generator) == {"given"}, "template texts are never in the training split"
    assert set(training[training.kept].target_id) <= set(
        read_table(demo_release, "shortcuts").shortcut_id
    )
    assert training.kept.sum() >= 10
    assert set(queries.kind) == {"query", "category", "instruction"}
    assert set(verdicts.target_id) <= set(queries.query_id)
    assert set(queries.query_id) == set(verdicts.target_id)
    shortcuts, paths = (
        read_table(demo_release, "shortcuts"),
        read_table(demo_release, "planning_paths"),
    )
    assert set(queries.target_id) <= {*shortcuts.shortcut_id, *paths.path_id}


def test_demo_release_contains_its_documents(demo_release: Path) -> None:
    for name in ("README.md", "report.html", "croissant.json"):
        assert (demo_release / name).stat().st_size > 1000
    assert not (demo_release / "catalogue").exists()
    assert list((demo_release / "sample").rglob("*.html"))


def test_demo_makes_few_prefect_runs_and_no_home_files(demo_release: Path) -> None:
    folder = demo_release.parents[2]
    if not (folder / DATABASE).exists():
        pytest.skip("a release that the demo made before, without its database")
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        (flows,) = database.execute("SELECT count(*) FROM flow_run").fetchone()
        (tasks,) = database.execute("SELECT count(*) FROM task_run").fetchone()
    assert flows == 1
    assert 10 <= tasks <= 30
    assert list((folder / "home").rglob("*")) == []
