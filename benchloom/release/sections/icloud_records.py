"""The section of a release's report about the iCloud links that sharing sites list."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("icloud_records",)
ORDER = 85


def section(tables: ReleaseTables) -> Section:
    """Count iCloud links by state and signing status, and return the section."""
    table = TableSection(tables, "icloud_records")
    states = table.values("state")
    table.figure("rows", "links asked for", table.rows)
    table.figure("available", "lead to a file", states["available"])
    table.ranked("state", "State of the link", "links", states)
    table.ranked("signing_status", "Signing status", "links")
    text = "Shortcuts are shared as links to iCloud; a link can be withdrawn or dead."
    return table.section("iCloud links", text)
