"""The section of a release's report about conflicts between several definitions of an API."""

from collections import Counter

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("conflicts",)
ORDER = 90


def section(tables: ReleaseTables) -> Section:
    """Count the fields and sources in which definitions differ, and return the section."""
    table = TableSection(tables, "conflicts")
    table.figure("rows", "conflicts", table.rows)
    table.figure("apis", "APIs concerned", len(table.values("api")))
    fields: Counter[str] = Counter()
    for field, count in table.values("field").items():
        fields[_field(field)] += count
    table.ranked("field", "Fields in conflict", "conflicts", fields)
    kinds = table.pairs("kept_source_kind", "source_kind")
    table.crossed(
        "source_kind", "Formats in conflict", "conflicts", kinds, row="kept", column="lost"
    )
    text = "If two sources define an API differently, the table contains both values."
    return table.section("Conflicts between definitions", text)


def _field(path: str) -> str:
    # Counts `parameters.<name>.type` of all parameters together.
    first, *rest = path.split(".")
    return f"{first} {rest[-1]}" if len(rest) > 1 else path
