"""Section: the dialogues that plans were made from, speakers, and text rights."""

from benchloom.release.describing.counting import (
    Spans,
    count_pairs,
    count_told,
    count_values,
    list_sizes,
)
from benchloom.release.describing.figures import Figure, Section, crossed, ordered, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("dialogues",)
ORDER = 52

_UTTERANCES = Spans([0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 21])


def section(tables: ReleaseTables) -> Section:
    """The figures of the dialogues of a release."""
    table = "dialogues"
    rows = tables.rows()[table]
    roles = count_values(tables, table, "utterances.role")
    planned = count_told(tables, table, "path_id")
    sizes = list_sizes(tables, table, "utterances")
    return Section(
        table,
        "Dialogues",
        "What was said in the dialogues that plans were made from; of some datasets only what "
        "users say is read.",
        (
            Figure(f"{table}.rows", "dialogues", rows),
            Figure(f"{table}.utterances", "utterances", sum(roles.values())),
            Figure(f"{table}.planned", "with a plan", planned),
            Figure(f"{table}.cut", "not kept whole", count_values(tables, table, "is_whole")["no"]),
        ),
        (
            ordered(
                f"{table}.length",
                "Utterances per dialogue",
                "dialogues",
                _UTTERANCES.counts(sizes),
                _UTTERANCES.names,
            ),
            ranked(f"{table}.role", "Who speaks", "utterances", roles),
            ranked(
                f"{table}.licence",
                "Licences of the words",
                "dialogues",
                count_values(tables, table, "licence"),
            ),
        ),
        (
            crossed(
                f"{table}.split",
                "Dialogues by source and split",
                "dialogues",
                count_pairs(tables, table, "source", "split"),
                row="source",
                column="split",
            ),
        ),
    )
