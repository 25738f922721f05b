"""Tests of the statistics table on plans whose figures are known."""

from benchloom.normalise.plans.statistics import facts_of, markdown_table, statistics
from tests.benchloom.normalise.plans.sample import booking, plan, search


def test_statistics_of_a_small_set() -> None:
    plans = [
        plan(search(), split="test"),
        plan(search(), booking(), split="test"),
        plan(search(), booking(), search(2), split="train"),
        plan(search(), booking(1, app="Inns"), search(2), split="train"),
    ]
    rows = statistics([facts_of(path) for path in plans])
    assert [(row.split, row.category, row.samples) for row in rows] == [
        ("all", "SS", 1),
        ("all", "SM", 2),
        ("all", "MM", 1),
        ("all", "all", 4),
        ("test", "SS", 1),
        ("test", "SM", 1),
        ("test", "all", 2),
        ("train", "SM", 1),
        ("train", "MM", 1),
        ("train", "all", 2),
    ]
    whole = rows[3]
    assert (whole.apps, whole.apis) == (2, 3)
    assert (whole.average_apps, whole.maximum_apps) == (1.25, 2)
    assert (whole.average_calls, whole.maximum_calls) == (2.25, 3)
    assert (whole.average_arguments, whole.maximum_arguments) == (3.75, 5)
    assert (whole.average_references, whole.maximum_references) == (0.75, 1)
    assert (whole.average_parallel, whole.maximum_parallel) == (1.5, 2)
    assert (whole.average_sequential, whole.maximum_sequential) == (1.75, 2)


def test_markdown_table_has_a_line_for_each_row() -> None:
    rows = statistics([facts_of(plan(search(), booking()))])
    lines = markdown_table(rows).splitlines()
    assert len(lines) == 2 + len(rows)
    assert lines[2].startswith("| all | SM | 1 | 1 | 2 | 1.00 (max 1) | 2.00 (max 2) |")
    assert lines[0] == (
        "| split | category | samples | apps | APIs | apps / plan | calls / plan "
        "| arguments / plan | references / plan | parallel scale | sequential scale |"
    )
    assert {line.count("|") for line in lines} == {12}


def test_no_plans_give_no_rows() -> None:
    assert statistics([]) == []
