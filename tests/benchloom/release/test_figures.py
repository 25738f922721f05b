"""Tests of figures: every figure of card and report equals an SQL query over the tables."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchloom.core.plain_words import ABSENT
from benchloom.release import read_manifest
from benchloom.release.descriptions import Chart
from benchloom.release.descriptions.figures import Cross, Section, crossed, ranked
from benchloom.release.descriptions.pages import markdown, number, visible
from benchloom.release.documents import view_release
from benchloom.release.sections import SECTIONS
from benchloom.storage.tables import iter_records
from tests.support.samples.described import DATA, shortcuts


@pytest.fixture(scope="module")
def sections(release: Path) -> dict[str, Section]:
    """The sections of the described release, by key."""
    return {
        section.key: section for section in view_release(release, read_manifest(release)).sections
    }


@pytest.fixture(scope="module")
def query_release(release: Path) -> Callable[[str], list[tuple[Any, ...]]]:
    """Return a function that runs an SQL query over the tables of the release."""
    database = duckdb.connect()
    for folder in release.iterdir():
        if list(folder.glob("*.parquet")):
            database.execute(
                f"create view {folder.name} as from read_parquet('{folder}/*.parquet')"
            )
    return lambda query: database.execute(query).fetchall()


QUERIES = tomllib.loads((DATA / "figures.toml").read_text(encoding="utf-8"))
FIGURES, CHARTS, SPANS, CROSSES = (
    QUERIES[kind] for kind in ("figures", "charts", "spans", "crosses")
)
COUNTED_ELSEWHERE = {
    "shortcuts.shape",
    "planning_paths.shape",
    "conflicts.field",
    "queries.distinct_1",
    "queries.distinct_2",
    "queries.distinct_3",
    "queries.self_bleu",
}


def all_charts(sections: dict[str, Section]) -> dict[str, Chart]:
    return {chart.key: chart for section in sections.values() for chart in section.charts}


def all_crosses(sections: dict[str, Section]) -> dict[str, Cross]:
    return {cross.key: cross for section in sections.values() for cross in section.crosses}


def test_single_figures_equal_the_tables(
    sections: dict[str, Section], query_release: Callable[[str], list[tuple[Any, ...]]]
) -> None:
    figure_values = {f.key: f.value for section in sections.values() for f in section.figures}
    assert figure_values == {key: query_release(query)[0][0] for key, query in FIGURES.items()}


def test_charts_equal_the_tables(
    sections: dict[str, Section], query_release: Callable[[str], list[tuple[Any, ...]]]
) -> None:
    charts = all_charts(sections)
    assert set(charts) == set(CHARTS) | set(SPANS) | COUNTED_ELSEWHERE
    for key, query in CHARTS.items():
        expected = {str(name): count for name, count in query_release(query)}
        bar_counts = {bar.name: bar.count for bar in charts[key].bars if bar.count}
        others = bar_counts.pop(next((n for n in bar_counts if n.endswith(" others")), ""), 0)
        rest = sum(count for name, count in expected.items() if name not in bar_counts)
        assert bar_counts == {name: expected[name] for name in bar_counts}, key
        assert others == rest, key


def test_histograms_equal_the_tables(
    sections: dict[str, Section], query_release: Callable[[str], list[tuple[Any, ...]]]
) -> None:
    charts = all_charts(sections)
    for key, query in SPANS.items():
        values = [value for (value,) in query_release(query)]
        bars = charts[key].bars
        assert sum(bar.count for bar in bars) == len(values), key
        for bar in bars:
            ends = [int(end) for end in re.findall(r"\d+", bar.name)]
            last = 10**9 if bar.name.endswith("or more") else ends[-1]
            assert bar.count == sum(ends[0] <= value <= last for value in values), (key, bar.name)
        starts = [int(bar.name.split("-")[0].split(" ")[0]) for bar in bars]
        assert all(a < b for a, b in pairwise(starts)), key


def test_cross_tables_equal_the_tables(
    sections: dict[str, Section], query_release: Callable[[str], list[tuple[Any, ...]]]
) -> None:
    crosses = all_crosses(sections)
    assert set(crosses) == set(CROSSES)
    for key, query in CROSSES.items():
        cross = crosses[key]
        expected = {
            (name or ABSENT, column or ABSENT): count
            for name, column, count in query_release(query)
        }
        cell_counts = {
            (row.name, column): count
            for row in cross.rows
            for column, count in zip(cross.columns, row.counts, strict=True)
            if count
        }
        assert cell_counts == expected, key


def test_shape_charts_count_data_flow(sections: dict[str, Section]) -> None:
    expected: Counter[str] = Counter()
    for row in shortcuts():
        edges = {
            (reference.action_index, action.index)
            for action in row.actions
            for argument in action.arguments
            for reference in argument.references
            if reference.action_index is not None
        }
        uses_by_source = Counter(source for source, _ in edges)
        uses_by_target = Counter(target for _, target in edges)
        out, into = (
            max(uses_by_source.values(), default=0) > 1,
            max(uses_by_target.values(), default=0) > 1,
        )
        names = {(0, 0): "chains", (1, 0): "fan-out", (0, 1): "fan-in"}
        name = names.get((int(out), int(into)), "fan-out and fan-in")
        expected[name if edges else "no data flow"] += 1
    bar_counts = {bar.name: bar.count for bar in all_charts(sections)["shortcuts.shape"].bars}
    assert {name: count for name, count in bar_counts.items() if count} == expected
    assert len(expected) > 2
    plans = {bar.name: bar.count for bar in all_charts(sections)["planning_paths.shape"].bars}
    assert plans["no data flow"] == 4
    assert plans["chains"] == 3


def shown_figures(page: str) -> dict[tuple[str, ...], str]:
    """Return the figures that a page shows, by their keys."""
    cells = re.findall(r"<(?:td|dd)([^>]* data-(?:figure|chart)=[^>]*)>([^<]+)", page)
    return {
        tuple(
            map(unescape, re.findall(r' data-(?:figure|chart|name|column)="([^"]*)"', names))
        ): unescape(text)
        for names, text in cells
    }


def test_card_and_report_show_all_figures(release: Path, sections: dict[str, Section]) -> None:
    report = shown_figures((release / "report.html").read_text(encoding="utf-8"))
    card = (release / "FIGURES.md").read_text(encoding="utf-8").splitlines()
    expected: dict[tuple[str, ...], str] = {
        ("tables." + table,): number(rows)
        for table, rows in read_manifest(release).tables().items()
    }
    for section in sections.values():
        for figure in section.figures:
            expected[figure.key,] = number(figure.value, figure.unit)
            assert f"| {figure.label} | {number(figure.value, figure.unit)} |" in card
        for chart in section.charts:
            for bar in chart.bars:
                expected[chart.key, visible(bar.name)] = number(bar.count)
                assert f"| {markdown(bar.name)} | {number(bar.count)} |" in card
        for cross in section.crosses:
            for row in cross.rows:
                cells = " | ".join(number(count) for count in row.counts)
                assert f"| {markdown(row.name)} | {cells} |" in card
                for column, count in zip(cross.columns, row.counts, strict=True):
                    expected[cross.key, visible(row.name), visible(column)] = number(count)
    assert report == expected


def test_card_and_report_show_the_funnel(release: Path) -> None:
    card = (release / "README.md").read_text(encoding="utf-8")
    assert r"| parse-shortcuts | 100 | 98 | truncated 2 | shortcuts 98 |" in card
    report = (release / "report.html").read_text(encoding="utf-8")
    assert '<td class="n" data-label="received">100</td>' in report
    assert "2 truncated" in report


def test_sections_without_their_tables_are_left_out(tmp_path: Path) -> None:
    from tests.support.samples.described import build

    release = build(tmp_path, {})
    keys = [section.key for section in view_release(release, read_manifest(release)).sections]
    assert keys == ["shortcuts"]
    assert set(SECTIONS.names()) > {"listings", "queries", "verdicts", "planning_paths"}
    assert sum(1 for _ in iter_records(release, "shortcuts", type(shortcuts()[0]))) == 22


def test_long_chart_ends_with_the_sum_of_all_others() -> None:
    counts = {f"name {number:03d}": 100 - number for number in range(60)}
    bars = ranked("key", "Title", "rows", counts, 20).bars
    assert [bar.name for bar in bars[:2]] == ["name 000", "name 001"]
    assert (len(bars), bars[-1].name) == (21, "40 others")
    assert sum(bar.count for bar in bars) == sum(counts.values())
    pairs = {(name, "all"): count for name, count in counts.items()}
    cross = crossed("key", "Title", "rows", pairs, row="name", column="of", most=10)
    assert (len(cross.rows), cross.rows[-1].name) == (11, "50 others")
    assert sum(sum(row.counts) for row in cross.rows) == sum(counts.values())
