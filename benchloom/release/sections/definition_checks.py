"""Section: checks of shortcuts against definitions of their APIs, and the evaluation split."""

from benchloom.release.describing.counting import ABSENT, count_values, ranked_values
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("definition_checks",)
ORDER = 47


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of checks of shortcuts against definitions."""
    table = "definition_checks"
    missing = count_values(tables, table, "actions.reason")
    missing.pop(ABSENT, None)  # These actions have a definition.
    return Section(
        table,
        "Shortcuts and definitions",
        "Shortcuts that are completely defined, valid and short enough to evaluate models.",
        (
            Figure(f"{table}.rows", "shortcuts", tables.rows()[table]),
            Figure(
                f"{table}.evaluation",
                "in the evaluation split",
                count_values(tables, table, "in_evaluation")["yes"],
            ),
            Figure(f"{table}.valid", "valid", count_values(tables, table, "is_valid")["yes"]),
        ),
        (
            ranked_values(
                tables,
                f"{table}.exclusion",
                "Why shortcuts are not in the evaluation split",
                "shortcuts",
                "exclusions",
            ),
            ranked_values(
                tables,
                f"{table}.finding",
                "What makes shortcuts invalid",
                "findings",
                "findings.reason",
            ),
            ranked(f"{table}.missing", "Actions without a definition", "actions", missing),
        ),
    )
