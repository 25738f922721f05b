"""Section: apps that shortcuts use, and what is missing to define their APIs."""

from benchloom.release.describing.counting import count_values
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("apps",)
ORDER = 45


def section(tables: ReleaseTables) -> Section:
    """The figures of the apps of a release."""
    defined = count_values(tables, "apps", "has_definitions")["yes"]
    unlocks: dict[str, int] = {}
    for batch in tables.batches("apps", ["app", "unlocks"], rows=4096):
        unlocks |= {row["app"]: row["unlocks"] for row in batch.to_pylist() if row["unlocks"]}
    return Section(
        "apps",
        "Apps",
        "Apps whose actions stand in shortcuts, and what their missing definitions hold back.",
        (
            Figure("apps.rows", "apps", tables.rows()["apps"]),
            Figure("apps.defined", "with a definition in use", defined),
        ),
        (ranked("apps.unlocks", "Shortcuts that only this app holds back", "shortcuts", unlocks),),
    )
