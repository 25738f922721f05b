"""The section of a release's report about captures, which are stored responses of web servers."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("captures",)
ORDER = 80


def section(tables: ReleaseTables) -> Section:
    """Count captures (stored web responses) by status, site and month, and return the section."""
    table = TableSection(tables, "captures")
    table.figure("rows", "captures", table.rows)
    table.figure("sites", "sites and services", len(table.values("site")))
    table.ranked("status", "HTTP status", "captures")
    months = table.pairs("fetched_at", "site", letters=len("2024-01"))
    table.sites_by("month", "Captures by month", "captures", months)
    text = "A capture is one response of a web server, stored unchanged."
    return table.section("Captures", text)
