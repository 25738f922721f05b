"""Section: tasks by source and by length, and the outcomes of their replays."""

from benchloom.release.describing.counting import Spans, count_values, list_sizes, ranked_values
from benchloom.release.describing.figures import Figure, Section
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("tasks",)
ORDER = 55
_CALLS = Spans([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of tasks."""
    table = "tasks"
    calls = list_sizes(tables, table, "calls")
    redundant = count_values(tables, table, "calls.redundant")
    return Section(
        table,
        "Tasks in worlds",
        "A task is a request in an executable world, calls that fulfil it, and proofs by replay.",
        (
            Figure(f"{table}.rows", "tasks", tables.rows()[table]),
            Figure(f"{table}.calls", "calls of their plans", sum(redundant.values())),
            Figure(f"{table}.redundant", "calls that can be left out", redundant["yes"]),
        ),
        (
            _CALLS.chart(f"{table}.length", "Calls per task", "tasks", calls),
            ranked_values(tables, f"{table}.source", "Where tasks come from", "tasks"),
            ranked_values(tables, f"{table}.tool", "Tools of plans", "calls", "calls.tool"),
            ranked_values(
                tables,
                f"{table}.origin",
                "Where values are known from",
                "values",
                "calls.origins.kind",
            ),
        ),
    )
