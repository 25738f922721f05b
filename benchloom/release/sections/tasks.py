"""The section of a release's report about benchmark tasks: their sources, lengths and tools."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("tasks",)
ORDER = 55


def section(tables: ReleaseTables) -> Section:
    """Count tasks by source and length, and their calls by tool, and return the section."""
    table = TableSection(tables, "tasks")
    redundant = table.values("calls.redundant")
    table.figure("rows", "tasks", table.rows)
    table.figure("calls", "calls of their plans", redundant.total())
    table.figure("redundant", "calls that can be left out", redundant["yes"])
    table.spans("length", "Calls per task", "tasks", range(10), table.sizes("calls"))
    table.ranked("source", "Where tasks come from", "tasks")
    table.ranked("tool", "Tools of plans", "calls", "calls.tool")
    table.ranked("origin", "Where values are known from", "values", "calls.origins.kind")
    text = "A task is a request in an executable world, calls that fulfil it, and proofs by replay."
    return table.section("Tasks in worlds", text)
