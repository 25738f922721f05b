"""Section: apps that shortcuts use, and shortcuts that lack definitions of their APIs."""

from benchloom.release.describing.counting import count_values
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables, TableFile

TABLES = ("apps",)
ORDER = 45


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of apps."""
    defined = count_values(tables, "apps", "has_definitions")["yes"]
    unlocks: dict[str, int] = {}
    for file_unlocks in tables.each("apps", dict[str, int], _unlocks):
        unlocks |= file_unlocks
    return Section(
        "apps",
        "Apps",
        "Apps whose actions are in shortcuts, and the shortcuts that lack their definitions.",
        (
            Figure("apps.rows", "apps", tables.rows()["apps"]),
            Figure("apps.defined", "with a definition in use", defined),
        ),
        (ranked("apps.unlocks", "Shortcuts that only lack this app", "shortcuts", unlocks),),
    )


def _unlocks(file: TableFile) -> dict[str, int]:
    return {app: unlocks for app, unlocks in file.values(["app", "unlocks"]) if unlocks}
