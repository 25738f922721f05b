"""The section of a release's report about checks of shortcuts against API definitions."""

from benchloom.release.descriptions.counting import TableSection, without_missing
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("definition_checks",)
ORDER = 47


def section(tables: ReleaseTables) -> Section:
    """Count valid shortcuts, and the reasons why shortcuts are not valid; return the section."""
    table = TableSection(tables, "definition_checks")
    table.figure("rows", "shortcuts", table.rows)
    table.figure("evaluation", "in the evaluation split", table.values("in_evaluation")["yes"])
    table.figure("valid", "valid", table.values("is_valid")["yes"])
    title = "Why shortcuts are not in the evaluation split"
    table.ranked("exclusion", title, "shortcuts", "exclusions")
    table.ranked("finding", "What makes shortcuts invalid", "findings", "findings.reason")
    missing = without_missing(table.values("actions.reason"))
    table.ranked("missing", "Actions without a definition", "actions", missing)
    text = "Shortcuts that are completely defined, valid and short enough to evaluate models."
    return table.section("Shortcuts and definitions", text)
