"""The section of a release's report about API definitions: sources, apps and parameters."""

from benchloom.release.descriptions.counting import TableSection, without_missing
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("api_definitions",)
ORDER = 40


def section(tables: ReleaseTables) -> Section:
    """Count API definitions by source, app and parameters, and return the section."""
    table = TableSection(tables, "api_definitions")
    apps, kinds = table.values("app"), table.values("parameters.type_kind")
    table.figure("rows", "definitions", table.rows)
    table.figure("apps", "apps", len(without_missing(apps)))
    table.figure("parameters", "parameters", kinds.total())
    table.figure("described", "with a description", table.filled("description"))
    table.ranked("source_kind", "Formats of definitions", "definitions")
    table.ranked("app", "Apps with most APIs", "definitions", apps)
    starts, sizes = (0, 1, 2, 3, 4, 5, 6, 8, 11, 21), table.sizes("parameters")
    table.spans("size", "Parameters per API", "definitions", starts, sizes)
    table.ranked("type_kind", "Kinds of parameters", "parameters", kinds)
    text = "What apps declare about the APIs that shortcuts and plans call."
    return table.section("API definitions", text)
