"""Section: rows that were left out or merged, by stage and reason."""

from benchloom.release.describing.counting import count_pairs
from benchloom.release.describing.figures import Figure, Section, crossed
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("rejected",)
ORDER = 100


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of rejected rows."""
    pairs = count_pairs(tables, "rejected", "reason", "stage")
    return Section(
        "rejected",
        "Left out and merged",
        "Every object or row that a stage leaves out has a row in the table rejected.",
        (
            Figure("rejected.rows", "rows", tables.rows()["rejected"]),
            Figure("rejected.reasons", "different reasons", len({reason for reason, _ in pairs})),
        ),
        (),
        (
            crossed(
                "rejected.reason",
                "Reasons by stage",
                "rows",
                pairs,
                row="reason",
                column="stage",
                most=25,
            ),
        ),
    )
