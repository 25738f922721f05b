"""The card of the demo's release: its code runs as it stands there, its counts are the tables'."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchloom.release.describing.joins import JOINS
from benchloom.tables import read_rows, table_parts

pytestmark = pytest.mark.prefect
_BLOCK = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)


@pytest.fixture
def card(demo_release: Path) -> str:
    return (demo_release / "README.md").read_text(encoding="utf-8")


def test_every_join_runs_as_the_card_has_it(demo_release: Path, card: str) -> None:
    blocks = [code for kind, code in _BLOCK.findall(card) if kind == "python"]
    joins = [code for code in blocks if "joined = " in code]
    assert joins == [join.code for join in JOINS]
    assert len(joins) == 5
    code = "\nprint(len(joined), len(set(joined.columns)) == len(joined.columns))\n".join(joins)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\nprint(len(joined), True)"],
        cwd=demo_release,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    found = [line.split() for line in run.stdout.splitlines()]
    assert len(found) == 5
    assert all(int(rows) > 0 and is_sound == "True" for rows, is_sound in found)
    plans = sum(read_rows(part).num_rows for part in table_parts(demo_release, "dialogues"))
    assert int(found[4][0]) == plans


def test_the_card_counts_the_rows_of_each_split(demo_release: Path, card: str) -> None:
    for table in ("shortcuts", "planning_paths", "queries", "dialogues"):
        values = [
            value or "unsplit"
            for part in table_parts(demo_release, table)
            for value in read_rows(part, ["split"]).column("split").to_pylist()
        ]
        counts = [values.count(name) for name in ("train", "validation", "test", "unsplit")]
        name = table.replace("_", r"\_")
        assert f"| {name} | {' | '.join(map(str, counts))} |" in card


def test_an_example_is_a_row_that_is_not_held_out(card: str) -> None:
    (block,) = [code for kind, code in _BLOCK.findall(card) if kind == "json"]
    shown = {}
    for line in block.splitlines():
        assert len(line) < 1500
        shown.update(json.loads(line))
    assert {"shortcuts", "planning_paths", "api_definitions", "queries"} <= set(shown)
    for table, row in shown.items():
        assert row.get("split", "train") == "train", table
