"""Section: disagreements between several definitions of one API."""

from collections import Counter

from benchloom.release.describing.counting import count_pairs, count_values
from benchloom.release.describing.figures import Figure, Section, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("conflicts",)
ORDER = 90


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of conflicts."""
    fields: Counter[str] = Counter()
    for field, count in count_values(tables, "conflicts", "field").items():
        fields[_field(field)] += count
    apis = count_values(tables, "conflicts", "api")
    return Section(
        "conflicts",
        "Conflicts between definitions",
        "If two sources define an API differently, the table contains both values.",
        (
            Figure("conflicts.rows", "conflicts", tables.rows()["conflicts"]),
            Figure("conflicts.apis", "APIs concerned", len(apis)),
        ),
        (ranked("conflicts.field", "Fields in conflict", "conflicts", fields),),
        (
            crossed(
                "conflicts.source_kind",
                "Formats in conflict",
                "conflicts",
                count_pairs(tables, "conflicts", "kept_source_kind", "source_kind"),
                row="kept",
                column="lost",
            ),
        ),
    )


def _field(path: str) -> str:
    # `parameters.<name>.type` becomes the same for all parameters.
    first, *rest = path.split(".")
    return f"{first} {rest[-1]}" if len(rest) > 1 else path
