"""The section of a release's report about runs of shortcuts on a simulated device."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("executions",)
ORDER = 48


def section(tables: ReleaseTables) -> Section:
    """Count runs of shortcuts by outcome and effect, and return the section."""
    table = TableSection(tables, "executions")
    table.figure("rows", "runs", table.rows)
    table.figure("finished", "ran to their end", table.values("outcome")["finished"])
    table.ranked("outcome", "How runs end", "runs")
    table.ranked("effect", "Effects of runs", "effects", "effects.kind")
    text = "Runs of shortcuts on a simulated device, with generated answers."
    return table.section("Runs on the simulated device", text)
