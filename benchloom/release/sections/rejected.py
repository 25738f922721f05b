"""The section of a release's report about rows that were left out or merged."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("rejected",)
ORDER = 100


def section(tables: ReleaseTables) -> Section:
    """Count the rows that were left out or merged, by stage and reason, and return the section."""
    table = TableSection(tables, "rejected")
    pairs = table.pairs("reason", "stage")
    table.figure("rows", "rows", table.rows)
    table.figure("reasons", "different reasons", len({reason for reason, _ in pairs}))
    table.crossed(
        "reason", "Reasons by stage", "rows", pairs, row="reason", column="stage", most=25
    )
    text = "Every object or row that a stage leaves out has a row in the table rejected."
    return table.section("Left out and merged", text)
