"""The section of a release's report about the apps that shortcuts use.

It also counts the shortcuts that lack only the definitions of one app.
"""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

TABLES = ("apps",)
ORDER = 45


def section(tables: ReleaseTables) -> Section:
    """Count apps, and shortcuts that lack only the definitions of one app; return the section."""
    table = TableSection(tables, "apps")
    table.figure("rows", "apps", table.rows)
    table.figure("defined", "with a definition in use", table.values("has_definitions")["yes"])
    unlocks: dict[str, int] = {}
    for file_unlocks in table.each(dict[str, int], _unlocks):
        unlocks |= file_unlocks
    table.ranked("unlocks", "Shortcuts that only lack this app", "shortcuts", unlocks)
    text = "Apps whose actions are in shortcuts, and the shortcuts that lack their definitions."
    return table.section("Apps", text)


def _unlocks(file: TableFile) -> dict[str, int]:
    return {app: unlocks for app, unlocks in file.values(["app", "unlocks"]) if unlocks}
