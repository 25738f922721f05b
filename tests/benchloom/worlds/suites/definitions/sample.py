"""Definitions of a garden app that does not exist, in the forms that real apps use."""

import msgspec

from benchloom.core.records import ApiDefinition, Dependency, EnumValue, Parameter, Return
from benchloom.worlds.suites.definitions.world import starts_of
from tests.support.samples.api_definitions import api_definition

APP = "org.example.garden"


def parameter(name: str, kind: str, title: str = "", **more: object) -> Parameter:
    """Return a parameter whose kind follows from its type."""
    type_kind = "entity" if kind.endswith("Entity") else "primitive"
    type_kind = "object" if kind.startswith("Query<") else type_kind
    fields = {"type_kind": type_kind, "title": title or None, **more}
    return msgspec.convert({"name": name, "type": kind, **fields}, Parameter)


def api(name: str, title: str, *parameters: Parameter, returns: str = "") -> ApiDefinition:
    """Return the definition of an API; `returns` with a final [] means several results."""
    kind = returns.removesuffix("[]")
    type_kind = "entity" if kind.endswith("Entity") else "primitive"
    result = Return(None, kind, type_kind, multiple=returns.endswith("[]"))
    return api_definition(
        f"{APP}.{name}",
        *parameters,
        app=APP,
        title=title,
        returns=(result,) if returns else (),
        source_uri="garden.actionsdata",
        source_digest="sha256:0",
    )


MODES = (EnumValue("drip", "Drip"), EnumValue("spray", "Spray"))
NOTE = parameter("target", "NoteEntity", "Note")
QUERY = parameter("WFContentItemFilter", "Query<NoteEntity>", optional=False)
LIMITED = parameter("WFContentItemLimitEnabled", "Boolean", default="false")
LIMIT = parameter(
    "WFContentItemLimitNumber",
    "Number",
    depends_on=(Dependency("WFContentItemLimitEnabled", "==", ("true",)),),
)
HIDDEN = parameter("entity", "ShowWeedsEntity", hidden=True)
MODE = parameter("mode_of_water", "Mode", "Mode", type_kind="enum", enum_values=MODES)
EXPECTED_VERBS = {
    "CreateNoteIntent": ("create", ""),
    "NoteEntity": ("find", ""),
    "UpdateNoteIntent": ("update", ""),
    "MoveNoteIntent": ("update", ""),
    "DeleteNotesIntent": ("delete", ""),
    "OpenNoteIntent": ("run", ""),
    "ShowWeedsEntity-UpdatableEntity": ("toggle", ""),
    "ShowWeedsEntity": ("find", ""),
    "SetWateringIntent": ("update", ""),
    "SearchIntent": ("run", ""),
    "RemoveNoteFromBedIntent": ("update", "no_property"),
    "DeletePlantsIntent": ("delete", "unclear_choice"),
    "GetMoistureIntent": ("find", "no_entity"),
    "GetWeatherIntent": ("find", "no_result"),
    "GetTextFromLabel": (None, "unclear_verb"),
    "PruneIntent": (None, "unclear_verb"),
    "GardenWidgetIntent": (None, "unclear_verb"),
}
"""The verb of each API, and the reason if it is only a stub."""
DEFINITIONS = (
    api(
        "CreateNoteIntent",
        "Create Note",
        parameter("name", "String", "Name", optional=False),
        parameter("isPinned", "Boolean", "Pinned"),
        parameter("due", "Date", "Due Date"),
        parameter("OpenWhenRun", "Boolean", optional=False),
        returns="NoteEntity",
    ),
    api("NoteEntity", "Find Notes", QUERY, LIMITED, LIMIT, returns="NoteEntity"),
    api(
        "UpdateNoteIntent",
        "Update Note",
        NOTE,
        parameter("newName", "String", "Name"),
        parameter("isPinned", "Boolean", "Pinned"),
        returns="NoteEntity",
    ),
    api("MoveNoteIntent", "Move Note", NOTE, parameter("folder", "FolderEntity", "Folder")),
    api("DeleteNotesIntent", "Delete Notes", parameter("entities", "NoteEntity", multiple=True)),
    api("OpenNoteIntent", "Open Note", NOTE),
    api(
        "ShowWeedsEntity-UpdatableEntity",
        "Update SHOW_WEEDS",
        HIDDEN,
        parameter("value", "Boolean", "Value"),
        returns="ShowWeedsEntity",
    ),
    api(
        "ShowWeedsEntity",
        "Get Show Weeds",
        parameter("WFContentItemFilter", "Query<ShowWeedsEntity>", hidden=True),
        returns="ShowWeedsEntity",
    ),
    api("SetWateringIntent", "Set Watering", MODE),
    api("SearchIntent", "Search in Garden", parameter("criteria", "String", "Search")),
    api(
        "RemoveNoteFromBedIntent",
        "Remove Note from Bed",
        NOTE,
        parameter("bed", "BedEntity", "Bed"),
    ),
    api("DeletePlantsIntent", "Delete Plants", parameter("server", "ServerEntity", "Server")),
    api("GetMoistureIntent", "Get Moisture", returns="Number"),
    api("GetWeatherIntent", "Get Weather"),
    api("GetTextFromLabel", "Get Text", parameter("WFInput", "String"), returns="String"),
    api("PruneIntent", "Prune", NOTE),
    api("GardenWidgetIntent", "Show Garden Widget"),
)
START = starts_of(DEFINITIONS)[APP]
