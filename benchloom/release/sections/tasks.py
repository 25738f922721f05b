"""Section: tasks by source and by length, and the outcomes of their replays."""

from benchloom.release.describing.counting import Spans, count_values, list_sizes
from benchloom.release.describing.figures import Figure, Section, ordered, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("tasks",)
ORDER = 55
_CALLS = Spans([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])


def section(tables: ReleaseTables) -> Section:
    """The figures of the tasks of a release."""
    table = "tasks"
    calls = list_sizes(tables, table, "calls")
    redundant = count_values(tables, table, "calls.redundant")
    return Section(
        table,
        "Tasks in worlds",
        "A task is a request in an executable world, calls that do it, and proofs by replay.",
        (
            Figure(f"{table}.rows", "tasks", tables.rows()[table]),
            Figure(f"{table}.calls", "calls of their plans", sum(redundant.values())),
            Figure(f"{table}.redundant", "calls that can be left out", redundant["yes"]),
        ),
        (
            ordered(
                f"{table}.length", "Calls per task", "tasks", _CALLS.counts(calls), _CALLS.names
            ),
            ranked(
                f"{table}.source",
                "Where tasks come from",
                "tasks",
                count_values(tables, table, "source"),
            ),
            ranked(
                f"{table}.tool",
                "Tools of plans",
                "calls",
                count_values(tables, table, "calls.tool"),
            ),
            ranked(
                f"{table}.origin",
                "Where values are known from",
                "values",
                count_values(tables, table, "calls.origins.kind"),
            ),
        ),
    )
