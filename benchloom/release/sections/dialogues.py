"""The section of a release's report about the dialogues from which plans were made."""

from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("dialogues",)
ORDER = 52


def section(tables: ReleaseTables) -> Section:
    """Count dialogues by length, speakers, licence and split, and return the section."""
    table = TableSection(tables, "dialogues")
    roles = table.values("utterances.role")
    table.figure("rows", "dialogues", table.rows)
    table.figure("utterances", "utterances", roles.total())
    table.figure("planned", "with a plan", table.filled("path_id"))
    table.figure("cut", "incomplete", table.values("is_whole")["no"])
    starts, sizes = (0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 21), table.sizes("utterances")
    table.spans("length", "Utterances per dialogue", "dialogues", starts, sizes)
    table.ranked("role", "Who speaks", "utterances", roles)
    table.ranked("licence", "Licences of the words", "dialogues")
    table.splits("Dialogues by source and split", "dialogues")
    return table.section(
        "Dialogues",
        "The turns of the dialogues that plans were made from; from some datasets only the turns "
        "of users are read.",
    )
