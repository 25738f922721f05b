"""Build a tool for each API; the tool checks its arguments, then reads or changes the tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from benchloom.core.records import ApiDefinition, Parameter
from benchloom.core.records.values import Plain
from benchloom.exchange.examples.tools import function_name, tool_of
from benchloom.worlds.state import Cell, RefusedError, Row, State
from benchloom.worlds.suites.definitions.arguments import check_arguments, default_of
from benchloom.worlds.suites.definitions.methods import STUBS, Method, entity_of, is_query
from benchloom.worlds.suites.definitions.tables import Entity, encoded, note_call
from benchloom.worlds.suites.definitions.verbs import is_operation, is_switch, is_system
from benchloom.worlds.tool import Schema, Tool

UNKNOWN_APP = "app"
"""The app in the name of a tool whose definition does not name an app."""
_LONGEST_APP = 40
_Record: TypeAlias = dict[str, Any]  # properties of an entity, with the types of the definition


class DefinedTool(Tool):
    """A tool that carries out a method, which is an API as an operation on a table.

    The tool has exactly the parameters of the API's definition.
    """

    def __init__(self, method: Method, entities: Mapping[str, Entity]) -> None:
        definition = method.definition
        self.app, self.name = name_of(definition)
        self.method = method
        function = tool_of(definition, self.name)
        stub = f" (A stub: {STUBS[method.stub]}.)" if method.stub else ""
        self.about = f"{function.description or definition.api}{stub}"
        self.reads = method.verb == "find" and not method.stub
        self.parameters = {
            parameter.name: parameter.title or "" for parameter in definition.parameters
        }
        self.result = _result_type(method)
        self.entities = entities
        self._own_schema = _schema(definition, function.parameters, entities)

    def schema(self) -> Schema:
        """The JSON Schema of the arguments; callers must not change it."""
        return self._own_schema

    def call(self, state: State, arguments: Mapping[str, Plain]) -> Plain:
        """Call the tool and return its result as JSON.

        Raises:
            RefusedError: an argument contradicts the definition, or selects no row.
        """
        check_arguments(self.method.definition, self._own_schema, arguments)
        for parameter, key in self._keys(arguments):
            self.entities[entity_of(parameter)].choose(state, key)
        if self.method.stub or self.method.verb == "run":
            note_call(state, self.method.definition.api, arguments)
            return None
        entity = self.entities[self.method.entity]
        match self.method.verb:
            case "create":
                return self._result_of(self._create(state, entity, arguments), entity)
            case "find":
                return self._target_row(state, entity, arguments)
            case "delete":
                rows = self._selected_rows(state, entity, arguments)
                for row in rows:
                    state.remove(entity.table, id=row["id"])
                return self._result_of(rows, entity)
            case _:
                return self._result_of(self._change(state, entity, arguments), entity)

    def _keys(self, arguments: Mapping[str, Plain]) -> Iterator[tuple[Parameter, str]]:
        for parameter in self.method.definition.parameters:
            if parameter.name in arguments and _selects_entity(parameter, self.entities):
                value = arguments[parameter.name]
                for key in value if isinstance(value, list) else [value]:
                    yield parameter, str(key)

    def _selected_rows(
        self, state: State, entity: Entity, arguments: Mapping[str, Plain]
    ) -> list[dict[str, Cell]]:
        if not self.method.target:
            return [entity.only_row(state)]
        keys = dict.fromkeys(
            key for parameter, key in self._keys(arguments) if parameter.name == self.method.target
        )
        if not keys:
            raise RefusedError("invalid_argument", f"`{self.method.target}` selects no entity")
        rows = [entity.choose(state, key) for key in keys]
        return list({str(row["id"]): row for row in rows}.values())

    def _create(
        self, state: State, entity: Entity, arguments: Mapping[str, Plain]
    ) -> list[dict[str, Cell]]:
        values = self._values(arguments, with_defaults=True)
        name = str(values.pop(self.method.naming, "") or "")
        cells = {entity.column(self.method, key): encoded(value) for key, value in values.items()}
        return [entity.add(state, name, cells)]

    def _change(
        self, state: State, entity: Entity, arguments: Mapping[str, Plain]
    ) -> list[dict[str, Cell]]:
        values = self._values(arguments, with_defaults=not self.method.target)
        rows = self._selected_rows(state, entity, arguments)
        for row in rows:
            cells: dict[str, Cell] = {
                entity.column(self.method, key): str(value)
                if key == self.method.naming
                else encoded(value)
                for key, value in (values or self._switch(entity, row)).items()
            }
            if not cells:
                raise RefusedError("invalid_argument", "nothing to change: pass a value")
            state.change(entity.table, {"id": row["id"]}, **cells)
        return [state.row(entity.table, id=row["id"]) for row in rows]

    def _values(self, arguments: Mapping[str, Plain], *, with_defaults: bool) -> dict[str, Plain]:
        values: dict[str, Plain] = {}
        if with_defaults and not self._switches_over(arguments):
            defaults = {p.name: default_of(p) for p in self.method.properties if not p.depends_on}
            values = {name: value for name, value in defaults.items() if value is not None}
        names = {parameter.name for parameter in self.method.properties}
        return values | {name: value for name, value in arguments.items() if name in names}

    def _switches_over(self, arguments: Mapping[str, Plain]) -> bool:
        return any(
            arguments.get(parameter.name) == "toggle"
            for parameter in self.method.definition.parameters
            if is_operation(parameter)
        )

    def _switch(self, entity: Entity, row: Row) -> dict[str, Plain]:
        switch = next((p for p in self.method.properties if is_switch(p)), None)
        if switch is None or self.method.verb != "toggle":
            return {}
        on, off = (True, False) if switch.type == "Boolean" else ("on", "off")
        is_on = row[entity.columns[switch.name]] == encoded(on)
        return {switch.name: off if is_on else on}

    def _target_row(self, state: State, entity: Entity, arguments: Mapping[str, Plain]) -> Plain:
        target = next(
            (p for p in self.method.definition.parameters if p.name == self.method.target), None
        )
        if entity.is_single:
            record = entity.record(entity.only_row(state))
            values = [value for key, value in record.items() if key not in {"id", "name"}]
            is_plain = self.method.definition.returns[0].type_kind == "primitive"
            return (values[0] if values else None) if is_plain else record
        if target is None or target.name not in arguments:
            rows = entity.rows(state)
        elif entity_of(target) == entity.noun and not is_query(target):
            rows = self._selected_rows(state, entity, arguments)
        else:
            part = str(arguments[target.name]).casefold()
            rows = [row for row in entity.rows(state) if part in str(row["name"]).casefold()]
        if arguments.get("WFContentItemLimitEnabled") is True:
            limit = arguments.get("WFContentItemLimitNumber")
            rows = rows[: int(limit) if isinstance(limit, int | float) else None]
        return [entity.record(row) for row in rows]

    def _result_of(self, rows: Sequence[Row], entity: Entity) -> Plain:
        if not _gives_back(self.method):
            return None
        returns = self.method.definition.returns
        records: list[Plain] = [dict(entity.record(row)) for row in rows]
        return records if returns[0].multiple else records[0]


def name_of(definition: ApiDefinition) -> tuple[str, str]:
    """Return the app and the name of an API's tool, in a form that chat interfaces accept."""
    app = (definition.app or UNKNOWN_APP).rpartition(".")[2][:_LONGEST_APP] or UNKNOWN_APP
    name = definition.api.removeprefix(f"{definition.app}.")
    head, _, tail = function_name(app, name).partition("__")
    return head, tail


def _gives_back(method: Method) -> bool:
    returns = method.definition.returns
    return bool(returns) and entity_of(returns[0]) == method.entity


def _result_type(method: Method) -> Any:
    returns = method.definition.returns
    if method.stub or method.verb == "run":
        return None
    if method.verb != "find":
        if not _gives_back(method):
            return None
        return list[_Record] if returns[0].multiple else _Record
    if method.target or returns[0].multiple:
        return list[_Record]
    return Any if returns[0].type_kind == "primitive" else _Record


def _selects_entity(parameter: Parameter, entities: Mapping[str, Entity]) -> bool:
    return (
        entity_of(parameter) in entities
        and not is_query(parameter)
        and not parameter.hidden
        and not is_system(parameter)
    )


def _schema(definition: ApiDefinition, schema: Schema, entities: Mapping[str, Entity]) -> Schema:
    """Return the JSON Schema of a tool's arguments, in which ids or names represent entities.

    `schema` is the schema of the definition. Arguments are optional if the system fills them, or
    if the definition does not list the values of their enumeration.
    """
    properties = dict(schema["properties"])
    optional: set[str] = set()
    for parameter in definition.parameters:
        if is_query(parameter):
            properties[parameter.name] = _text(parameter, "a part of the name; empty for all")
        elif _selects_entity(parameter, entities):
            entity = entities[entity_of(parameter)]
            key = "id, as the search returns it," if entity.is_findable else "name"
            properties[parameter.name] = _text(parameter, f"the {key} of a {entity.noun}")
        if (
            (is_system(parameter) and not is_query(parameter))
            or parameter.hidden
            or (parameter.type_kind == "enum" and not parameter.enum_values)
        ):
            optional.add(parameter.name)
    required = [name for name in schema["required"] if name not in optional]
    return {**schema, "properties": properties, "required": required}


def _text(parameter: Parameter, meaning: str) -> Schema:
    described = f"{parameter.description}; {meaning}" if parameter.description else meaning
    text: Schema = {"type": "string", "description": described}
    if parameter.title:
        text["title"] = parameter.title
    return {"type": "array", "items": text} if parameter.multiple else text
