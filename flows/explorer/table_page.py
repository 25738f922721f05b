"""Build one page of a table, with its rows, the number of all rows, and counts of values."""

import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pyarrow as pa

from flows.explorer.database import identifier, select
from flows.explorer.errors import BadRequestError, DamagedError, TooMuchError
from flows.explorer.open_release import Column, OpenRelease, Table
from flows.explorer.selection import (
    PAGE_ROWS,
    Condition,
    Selection,
    condition_of,
    is_id,
    order_of,
    searched,
)
from flows.explorer.uses import USED, Uses

FACET_VALUES = 8
"""Number of values of a column that are offered with their counts."""
_MAX_DISTINCT = 60
"""Maximum number of distinct values of a column that is offered as a filter."""
_MAX_FACETS = 8
_MAX_COLUMNS = 7
_FIRST = {
    "shortcuts": ("name", "description", "level", "action_count", "split", "evaluation"),
    "listings": ("name", "site", "category", "author_credit", "downloads", "updated", "state"),
    "queries": ("text", "kind", "kept", "split", "generator", "model"),
    "verdicts": ("check", "kept", "reason", "score", "evidence"),
    "api_definitions": ("title", "api", "app", "description", "source_kind", "deprecated"),
    "planning_paths": ("steps", "source", "category", "split", "parallel_scale"),
    "dialogues": ("source_id", "source", "split", "licence", "is_whole"),
    "captures": ("url", "status", "fetched_at", "site", "kind", "fault"),
    "definition_checks": ("source_uri", "is_valid", "in_evaluation", "exclusions"),
    "icloud_records": ("name", "state", "reason", "asset", "asset_size"),
    "executions": ("source_uri", "outcome", "reason", "steps", "output", "split"),
    "rejected": ("source_uri", "stage", "reason", "message"),
    "service_results": ("method", "service", "arguments", "outcome", "turn", "split"),
    "completions": ("content", "model", "status", "tokens_in", "tokens_out", "usd"),
    "tasks": ("turns", "suite", "split", "answer", "tools"),
}
"""The columns that a list of rows shows, for some tables. Other tables show their first columns
that contain no ids."""


class Facet(msgspec.Struct, frozen=True):
    """The most frequent values of a column among the selected rows, with their counts.

    `more` says whether the column has further values.
    """

    column: str
    values: tuple[tuple[str, int], ...]
    more: bool


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of rows; `total` is the number of selected rows on all pages."""

    columns: tuple[Column, ...]
    rows: tuple[dict[str, Any], ...]
    total: int
    facets: tuple[Facet, ...]

    @property
    def pages(self) -> int:
        """The number of pages on which the selected rows are."""
        return max(1, -(-self.total // PAGE_ROWS))


class Lists:
    """Builds pages of the tables of one release, and caches counts that never change."""

    def __init__(self, release: OpenRelease) -> None:
        self._release = release
        self.uses = Uses(release)
        self._choices: dict[str, tuple[Column, ...]] = {}
        self._lock = threading.Lock()

    def page(self, table: Table, selection: Selection) -> TablePage:
        """Return one page of the rows that the user selected."""
        condition = condition_of(selection, table, self._use_condition(table, selection))
        columns = list_columns(table)
        column_names = dict.fromkeys([*(column.name for column in columns), *table.key])
        names = ", ".join(identifier(name) for name in column_names)
        rows = self._release.ask(
            select(
                names, table.name, condition.text, f"{order_of(selection, table)} LIMIT ? OFFSET ?"
            ),
            [*condition.values, PAGE_ROWS, (selection.page - 1) * PAGE_ROWS],
        )
        total, facets = self._counts(table, condition)
        return TablePage(columns=columns, rows=tuple(rows), total=total, facets=facets)

    def stream(self, table: Table, selection: Selection) -> Iterator[pa.RecordBatch]:
        """Yield all selected rows with all columns, after an empty batch with the columns."""
        condition = condition_of(selection, table, self._use_condition(table, selection))
        statement = select("*", table.name, condition.text, order_of(selection, table))
        return self._release.stream(statement, condition.values)

    def _use_condition(self, table: Table, selection: Selection) -> Condition | None:
        if not selection.uses:
            return None
        if table.name != "shortcuts":
            raise BadRequestError(f"{table.name} cannot be filtered by API; remove this filter")
        if not self.uses.is_ready():
            raise TooMuchError("the index of used APIs is not ready yet; try again soon")
        if self.uses.fault:
            raise DamagedError(self.uses.fault)
        return Condition(USED, (self.uses.number(selection.uses),))

    def _counts(self, table: Table, condition: Condition) -> tuple[int, tuple[Facet, ...]]:
        """Return the number of selected rows, and the most frequent values of some columns."""
        choices = self.choices(table)
        plain = [choice for choice in choices if choice.kind != "texts"]
        names = [identifier(choice.name) for choice in plain]
        sets = ", ".join(["()", *(f"({name})" for name in names)])
        as_text = [f"CAST({name} AS VARCHAR)" for name in names]
        marks = [f"GROUPING({name})" for name in names]
        columns = (
            f"count(*) AS n, [{', '.join(as_text)}]::VARCHAR[] AS found, "
            f"[{', '.join(marks)}]::INTEGER[] AS mark"
        )
        grouping = f"GROUP BY GROUPING SETS ({sets})"
        rows = self._release.ask(
            select(columns, table.name, condition.text, grouping), condition.values
        )
        counts: dict[str, list[tuple[str, int]]] = {choice.name: [] for choice in choices}
        total = 0
        for row in rows:
            index = next((i for i, mark in enumerate(row["mark"]) if mark == 0), None)
            if index is None:
                total = row["n"]
            elif row["found"][index] is not None:
                counts[plain[index].name].append((row["found"][index], row["n"]))
        for choice in choices:
            if choice.kind == "texts":
                counts[choice.name] = self._count_lists(table, condition, choice)
        return total, tuple(
            _facet(choice, counts[choice.name]) for choice in choices if counts[choice.name]
        )

    def _count_lists(
        self, table: Table, condition: Condition, column: Column
    ) -> list[tuple[str, int]]:
        values = select(f"unnest({identifier(column.name)}) AS value", table.name, condition.text)
        rows = self._release.ask(
            f"FROM ({values}) SELECT value, count(*) AS n GROUP BY value", condition.values
        )
        return [(row["value"], row["n"]) for row in rows if row["value"] is not None]

    def choices(self, table: Table) -> tuple[Column, ...]:
        """Return the columns with few distinct values, which users can filter by.

        The result is cached.
        """
        with self._lock:
            if table.name not in self._choices:
                self._choices[table.name] = self._count_choices(table)
            return self._choices[table.name]

    def _count_choices(self, table: Table) -> tuple[Column, ...]:
        candidates = [
            column
            for column in table.columns
            if column.kind in {"text", "flag", "texts"}
            or (column.kind == "number" and column.name in {"level", "status", "parallel_scale"})
        ]
        candidates = [column for column in candidates if not column.is_long and not is_id(column)]
        if not candidates or not table.rows:
            return ()
        counted = ", ".join(
            f"approx_count_distinct({identifier(column.name)}) AS {identifier(column.name)}"
            for column in candidates
        )
        distinct_counts = self._release.ask(select(counted, table.name))[0]
        most = min(_MAX_DISTINCT, max(8, table.rows // 8))
        choices = [column for column in candidates if 1 < distinct_counts[column.name] <= most]
        order = {name: position for position, name in enumerate(_FIRST.get(table.name, ()))}
        choices.sort(key=lambda column: order.get(column.name, len(order)))
        return tuple(choices[:_MAX_FACETS])


def _facet(column: Column, counts: list[tuple[str, int]]) -> Facet:
    ordered = sorted(counts, key=lambda value_count: (-value_count[1], value_count[0]))
    return Facet(column.name, tuple(ordered[:FACET_VALUES]), len(ordered) > FACET_VALUES)


def list_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns that a list of rows shows."""
    first = [table.column(name) for name in _FIRST.get(table.name, ())]
    visible_columns = [column for column in first if column is not None]
    if not visible_columns:
        texts = {column.name for column in searched(table)}
        plain = [
            column for column in table.columns if column.kind != "nested" and not column.is_long
        ]
        visible_columns = [
            column
            for column in plain
            if column.kind not in {"text", "texts"} or column.name in texts
        ]
        visible_columns = (visible_columns or plain)[:_MAX_COLUMNS]
    return tuple(visible_columns)
