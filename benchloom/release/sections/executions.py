"""Section: runs of shortcuts on the simulated device, how they ended, and their effects."""

from benchloom.release.describing.counting import count_values, ranked_values
from benchloom.release.describing.figures import Figure, Section
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("executions",)
ORDER = 48


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of runs of shortcuts."""
    table = "executions"
    return Section(
        table,
        "Runs on the simulated device",
        "Runs of shortcuts on a simulated device, with generated answers.",
        (
            Figure(f"{table}.rows", "runs", tables.rows()[table]),
            Figure(
                f"{table}.finished",
                "ran to their end",
                count_values(tables, table, "outcome")["finished"],
            ),
        ),
        (
            ranked_values(tables, f"{table}.outcome", "How runs end", "runs", "outcome"),
            ranked_values(tables, f"{table}.effect", "Effects of runs", "effects", "effects.kind"),
        ),
    )
