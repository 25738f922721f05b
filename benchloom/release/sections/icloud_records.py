"""Section: results of resolving the iCloud links that sites list."""

from benchloom.release.describing.counting import count_values, ranked_values
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("icloud_records",)
ORDER = 85


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of iCloud links."""
    states = count_values(tables, "icloud_records", "state")
    return Section(
        "icloud_records",
        "iCloud links",
        "Shortcuts are shared as links to iCloud; a link can be withdrawn or dead.",
        (
            Figure("icloud_records.rows", "links asked for", tables.rows()["icloud_records"]),
            Figure("icloud_records.available", "lead to a file", states.get("available", 0)),
        ),
        (
            ranked("icloud_records.state", "State of the link", "links", states),
            ranked_values(tables, "icloud_records.signing_status", "Signing status", "links"),
        ),
    )
