"""Check that the code on the card of the demo's release runs and its counts match the tables."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from benchloom.release.documents.card import JOINS
from benchloom.storage.tables import read_rows, table_parts
from tests.support.python import python

pytestmark = pytest.mark.prefect
ROOT = Path(__file__).resolve().parents[3]
_BLOCK = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)


@pytest.fixture
def card(demo_release: Path) -> str:
    return (demo_release / "README.md").read_text(encoding="utf-8")


REQUESTS = (
    "select * from queries join {table} on target_id = {key} where queries.kept and kind = '{kind}'"
)
DEFINED = (
    "select one.definition_id from {table}, unnest({column}) t(one) "
    "join api_definitions d on d.definition_id = one.definition_id"
)
COUNTS = (
    REQUESTS.format(table="planning_paths", key="path_id", kind="instruction")
    + " and queries.split = 'test' and planning_paths.split = 'test'",
    REQUESTS.format(table="shortcuts", key="shortcut_id", kind="query"),
    DEFINED.format(table="planning_paths", column="steps"),
    DEFINED.format(table="definition_checks", column="actions"),
    "select * from dialogues join planning_paths using (path_id)",
)
"""For each join on the card: SQL that selects the rows that its title describes."""


def count_rows(database: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = database.execute(f"select count(*) from ({sql})").fetchone()  # noqa: S608  the names are written in the test
    assert row is not None
    return int(row[0])


def run_code(code: str, folder: Path) -> list[str]:
    """Run Python code in a folder, with warnings as errors, and return the printed lines."""
    return python("-W", "error", "-c", code, cwd=folder).stdout.splitlines()


def test_joins_of_the_card_return_the_rows_they_describe(
    demo_release: Path, card: str, database: duckdb.DuckDBPyConnection
) -> None:
    blocks = [code for kind, code in _BLOCK.findall(card) if kind == "python"]
    joins = [code for code in blocks if "joined = " in code]
    assert joins == [join.code for join in JOINS]
    print_code = "\nprint(len(joined), len(set(joined.columns)) == len(joined.columns))\n"
    outputs = [
        line.split()
        for line in run_code("".join(code + print_code for code in joins), demo_release)
    ]
    expected = [count_rows(database, sql) for sql in COUNTS]
    assert min(expected) > 0
    assert outputs == [[str(rows), "True"] for rows in expected]


@pytest.mark.parametrize("page", ["docs/pages/python.md", "docs/pages/tutorial.md"])
def test_pairs_in_documentation_are_requests_with_their_shortcuts(
    demo_release: Path, tmp_path: Path, database: duckdb.DuckDBPyConnection, page: str
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (code,) = [code for kind, code in _BLOCK.findall(text) if "pairs = " in code]
    for workspace in ("demo-output", "workspace"):
        (tmp_path / workspace).symlink_to(demo_release.parents[1])
    print_code = "\nprint(len(pairs), set(pairs.kind))"
    rows = count_rows(database, COUNTS[1])
    assert run_code(code + print_code, tmp_path)[-1] == f"{rows} {{'query'}}"


def test_card_states_row_counts_of_each_split(demo_release: Path, card: str) -> None:
    for table in ("shortcuts", "planning_paths", "queries", "dialogues"):
        values = [
            value or "unsplit"
            for part in table_parts(demo_release, table)
            for value in read_rows(part, ["split"]).column("split").to_pylist()
        ]
        counts = [values.count(name) for name in ("train", "validation", "test", "unsplit")]
        name = table.replace("_", r"\_")
        assert f"| {name} | {' | '.join(map(str, counts))} |" in card


def test_card_examples_are_no_held_out_rows(card: str) -> None:
    (block,) = [code for kind, code in _BLOCK.findall(card) if kind == "json"]
    examples = {}
    for line in block.splitlines():
        assert len(line) < 1500
        examples.update(json.loads(line))
    assert {"shortcuts", "planning_paths", "api_definitions", "queries"} <= set(examples)
    for table, row in examples.items():
        assert row.get("split", "train") == "train", table
