"""Section: the dialogues from which plans were made, their speakers, and text licences."""

from benchloom.release.describing.counting import (
    Spans,
    count_filled,
    count_values,
    crossed_splits,
    list_sizes,
    ranked_values,
)
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("dialogues",)
ORDER = 52

_UTTERANCES = Spans([0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 21])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of dialogues."""
    table = "dialogues"
    rows = tables.rows()[table]
    roles = count_values(tables, table, "utterances.role")
    planned = count_filled(tables, table, "path_id")
    sizes = list_sizes(tables, table, "utterances")
    return Section(
        table,
        "Dialogues",
        "The turns of the dialogues that plans were made from; from some datasets only the turns "
        "of users are read.",
        (
            Figure(f"{table}.rows", "dialogues", rows),
            Figure(f"{table}.utterances", "utterances", sum(roles.values())),
            Figure(f"{table}.planned", "with a plan", planned),
            Figure(f"{table}.cut", "incomplete", count_values(tables, table, "is_whole")["no"]),
        ),
        (
            _UTTERANCES.chart(f"{table}.length", "Utterances per dialogue", "dialogues", sizes),
            ranked(f"{table}.role", "Who speaks", "utterances", roles),
            ranked_values(tables, f"{table}.licence", "Licences of the words", "dialogues"),
        ),
        (crossed_splits(tables, f"{table}.split", "Dialogues by source and split", "dialogues"),),
    )
