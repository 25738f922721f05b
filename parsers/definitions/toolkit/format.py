"""Parse ToolKit's SQLite database, in which current systems keep the definitions of all tools."""

import re

import msgspec

from benchloom.core.built_in_actions import SYSTEM_APP, SYSTEM_PREFIX
from benchloom.core.records import ApiDefinition, Note, Parameter, Return
from parsers.definitions import (
    DefinitionContext,
    ParsedDefinitions,
    Problem,
)
from parsers.definitions.toolkit.conditions import read_relationships, read_requirements
from parsers.definitions.toolkit.sqlite_tables import Database, Row
from parsers.definitions.toolkit.tables import ToolTables
from parsers.definitions.toolkit.types import ANY, ToolType, read_identifier, read_instance
from parsers.definitions.toolkit.wire import Opaque
from parsers.definitions.values import json_text, parse_entries, text_of, typed_default
from parsers.errors import ParseError

_VISIBLE = 1 | 4
_DISCONTINUED, _UNDISCOVERABLE = 2, 4
_TOOL_FLAGS = {
    1: "opens_app",
    8: "does_not_perform",
    16: "shows_open_switch",
    32: "shows_snippet",
    64: "shows_dialog",
    128: "home",
}
_HIDDEN, _SYNTHESISED = 1, 2
_NO_CONTAINER = "unknown."
_SYSTEM_VERSION = re.compile(r"(?:ios|macos|ipados|visionos)[-_ ]?(\d+(?:\.\d+)*)", re.IGNORECASE)
_SCHEMA_VERSION = re.compile(r"[.\-_](v\d+)(?=[.\-_])", re.IGNORECASE)
_NOTES = {
    "descriptionResult": "result",
    "descriptionNote": "note",
    "descriptionAttribution": "attribution",
    "descriptionRequires": "requires",
    "deprecationMessage": "deprecation",
}


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the tools of a database; raise ParseError if it has no table Tools."""
    database = Database(data)
    try:
        if not database.has("Tools", "id"):
            raise ParseError("not_a_definition", "an SQLite database without a table Tools")
        tables = ToolTables(database)
        if database.had_write_ahead_log:
            message = "read without its write-ahead log; rows that are only in the log are missing"
            tables.problems.append(Problem("", "write_ahead_log", message))
    finally:
        database.close()
    if not tables.tools:
        message = "the database has no tools; the system fills the table some time after an upgrade"
        tables.problems.append(Problem("Tools", "empty_table", message))
    return parse_entries(
        data,
        context,
        "toolkit",
        ((str(tool["id"]), tool) for tool in tables.tools),
        lambda _, tool: _Tool(tool, tables, context).definition(),
        problems=tables.problems,
    )


class _Tool:
    def __init__(self, tool: Row, tables: ToolTables, context: DefinitionContext) -> None:
        self.tool = tool
        self.tables = tables
        self.context = context
        self.opaque = Opaque()
        self.flags: set[str] = set()
        self.notes: list[Note] = []
        api = text_of(tool["id"])
        if api is None:
            raise ParseError("unnamed", "the id of a tool is not a text")
        self.api = api

    def definition(self) -> ApiDefinition:
        tool, row = self.tool, self.tool["rowId"]
        texts = self.tables.texts.get((row,), {})
        app, version = self._container()
        bits, visibility = _integer(tool["flags"]), _integer(tool["visibilityFlags"])
        self.flags.update(name for bit, name in _TOOL_FLAGS.items() if bits & bit)
        parameters = self._parameters()
        self._note_texts(texts)
        return ApiDefinition(
            definition_id="",
            api=self.api,
            app=app,
            source_kind="toolkit",
            title=text_of(texts.get("name")),
            description=text_of(texts.get("descriptionSummary")),
            parameters=parameters,
            returns=self._returns(texts),
            availability=read_requirements(_blob(tool["requirements"]), self.opaque),
            deprecated=bool(bits & _DISCONTINUED) or bool(texts.get("deprecationMessage")),
            replaced_by=text_of(tool["deprecationReplacementId"]),
            discoverable=visibility & _VISIBLE == _VISIBLE and not bits & _UNDISCOVERABLE,
            category=text_of(self.tables.categories.get((row,), {}).get("category")),
            keywords=self.tables.keywords.get(row, ()),
            notes=tuple(self.notes),
            source_uri=self.context.source_uri,
            source_digest="",
            app_version=version or system_version(self.context.source_uri),
            oddities=tuple(sorted(self.flags)),
            unknown=tuple(self.opaque.fields),
        )

    def _container(self) -> tuple[str, str | None]:
        # The app the tool is attributed to, else the tool's source container.
        for key in ("attributionContainerId", "sourceContainerId"):
            container = self.tables.containers.get(self.tool[key])
            bundle = text_of(container["id"]) if container else None
            if container and bundle and not bundle.startswith(_NO_CONTAINER):
                return bundle, text_of(container["bundleVersion"])
        self.flags.add("app_from_identifier")
        if self.api.startswith(SYSTEM_PREFIX):
            return SYSTEM_APP, None
        return self.api.rpartition(".")[0] or self.api, None

    def _note_texts(self, texts: Row) -> None:
        for key, note_kind in _NOTES.items():
            text = text_of(texts.get(key))
            if text:
                self.notes.append(Note(note_kind, text))
        for key, value in sorted(self.tables.model_texts.get((self.tool["rowId"],), {}).items()):
            text = text_of(value)
            if text and key.startswith(("name", "description", "output")):
                self.notes.append(Note(f"model_{key}", text))
        kind = text_of(self.tool["toolType"])
        if kind:
            self.notes.append(Note("tool_type", kind))

    def _returns(self, texts: Row) -> tuple[Return, ...]:
        blob = _blob(self.tool["outputTypeInstance"])
        if not blob:
            return ()
        return_type = self._with_names(read_instance(blob, "outputTypeInstance", self.opaque))
        if return_type.type == "None":
            return ()
        name = text_of(texts.get("outputResultName"))
        result = text_of(texts.get("descriptionResult"))
        return (Return(name, return_type.type, return_type.kind, return_type.multiple, result),)

    def _parameters(self) -> tuple[Parameter, ...]:
        rows = self.tables.parameters.get(self.tool["rowId"], [])
        rows = sorted(rows, key=lambda row: (_integer(row["sortOrder"]), str(row["key"])))
        types = {str(row["key"]): self._type(row) for row in rows}
        names = {key: tool_type.type for key, tool_type in types.items()}
        return tuple(self._parameter(row, types[str(row["key"])], names) for row in rows)

    def _type(self, row: Row) -> ToolType:
        # Older schemas have a type id instead of a blob.
        blob = _blob(row["typeInstance"])
        key = str(row["key"])
        if blob:
            return self._with_names(read_instance(blob, f"{key}.typeInstance", self.opaque))
        listed = row["typeId"] or self.tables.parameter_types.get((row["toolId"], row["key"]))
        identifier = _blob(self.tables.types.get(str(listed), {}).get("id"))
        if identifier:
            return self._with_names(read_identifier(identifier, f"{key}.typeId", self.opaque))
        self.flags.add("parameter_without_type")
        return ANY if listed is None else ToolType(str(listed), "object")

    def _with_names(self, tool_type: ToolType) -> ToolType:
        # In a blob, enumerations look like entities; only the table of types distinguishes them.
        if tool_type.kind == "entity" and self.tables.is_enumeration(tool_type.type_id):
            # A type that accepts content of listed file types is not an enumeration.
            is_content = tool_type.file_types and tool_type.type_id not in self.tables.enumerations
            return msgspec.structs.replace(tool_type, kind="file" if is_content else "enum")
        return tool_type

    def _parameter(self, row: Row, tool_type: ToolType, types: dict[str, str]) -> Parameter:
        key = str(row["key"])
        texts = self.tables.parameter_texts.get((row["toolId"], row["key"]), {})
        bits = _integer(row["flags"])
        if bits & _SYNTHESISED:
            self.notes.append(Note("synthesised", key))
        if tool_type.default is not None and tool_type.default.deferred:
            self.notes.append(Note("run_time_default", key))
        is_intent = self.tool["toolType"] == "appIntent"
        return Parameter(
            name=key,
            type=tool_type.type,
            type_kind=tool_type.kind,
            title=text_of(texts.get("name")) or key,
            description=_description(texts),
            multiple=tool_type.multiple,
            # For system actions the optional wrapper only means that there is a default.
            optional=tool_type.wrapped if is_intent else None,
            default=_default(tool_type),
            enum_values=self.tables.enumerations.get(tool_type.type_id or "", ()),
            depends_on=read_relationships(
                _blob(row["relationships"]), types, f"{key}.relationships", self.opaque
            ),
            minimum=tool_type.minimum,
            maximum=tool_type.maximum,
            file_types=tool_type.file_types,
            hidden=bool(bits & _HIDDEN),
        )


def _default(tool_type: ToolType) -> str | None:
    if tool_type.default is None or tool_type.default.value is None:
        return None
    return json_text(typed_default(tool_type.default.value, tool_type.type, tool_type.kind))


def _description(texts: Row) -> str | None:
    parts = [text_of(texts.get("description"))]
    true, false = text_of(texts.get("trueString")), text_of(texts.get("falseString"))
    if (true or false) and (true, false) != ("true", "false"):
        parts.append(f"true: {true or 'true'}; false: {false or 'false'}")
    return "\n".join(part for part in parts if part) or None


def system_version(source_uri: str) -> str | None:
    """Read the system or schema version from the name of a database."""
    name = source_uri.rsplit("/", 1)[-1].rsplit("!", 1)[-1]
    for pattern in (_SYSTEM_VERSION, _SCHEMA_VERSION):
        match = pattern.search(name)
        if match:
            return match.group(1).rstrip(".")
    return None


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0


def _blob(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""
