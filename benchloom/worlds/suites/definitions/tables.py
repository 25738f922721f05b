"""The tables in the world of an app.

Each entity, such as notes, has a table with a column for each property. Another table records the
calls that have no other effect.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from benchloom.core.identity import pick
from benchloom.core.records import Parameter
from benchloom.core.records.values import Plain
from benchloom.worlds.state import Cell, RefusedError, Row, State
from benchloom.worlds.suites.definitions.methods import Method, entity_of, is_query
from benchloom.worlds.suites.definitions.seeds import old_names, values_for
from benchloom.worlds.suites.definitions.verbs import own_parameters

CALLS = "calls"
"""The name of the table that records the calls without any other effect."""
_UNNAMED = ("First", "Second", "Third")
_TAKEN = frozenset({"id", "name"})
_RESERVED = frozenset({CALLS, "noted_effects"})
_NOT_IN_NAMES = re.compile(r"\W+")
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A type of things in an app, such as notes, and the table with a row for each thing.

    Args:
        noun: the word for a thing of this type.
        table: the name of the table.
        columns: a mapping from names of parameters to the columns with their values.
        properties: a mapping from the same names to the parameters.
        is_single: whether the table has a single row, because no API selects a row.
        is_findable: whether an API finds the things by name. If so, arguments of other APIs select
            a thing by its id, else by its name.
    """

    noun: str
    table: str
    columns: Mapping[str, str]
    properties: Mapping[str, Parameter]
    is_single: bool
    is_findable: bool

    def column(self, method: Method, parameter: str) -> str:
        """Return the column that stores the value of a parameter of a method."""
        return "name" if parameter == method.naming else self.columns[parameter]

    def record(self, row: Row) -> dict[str, Plain]:
        """Return a row as an object for the result of a tool, without empty cells."""
        values = {
            column: msgspec.json.decode(str(row[column]))
            for column in dict.fromkeys(self.columns.values())
            if row[column] is not None
        }
        return {"id": str(row["id"]), "name": str(row["name"]), **values}

    def rows(self, state: State) -> list[dict[str, Cell]]:
        """Return all rows of the table, sorted by name."""
        return state.rows(f'SELECT * FROM "{self.table}" ORDER BY name, id')  # noqa: S608  an identifier, quoted

    def choose(self, state: State, key: str) -> dict[str, Cell]:
        """Return the row whose id, or whose name if `is_findable` is false, is `key`.

        Raises:
            RefusedError: there is no row with this id or name, or several rows have this name.
        """
        if self.is_findable:
            return state.row(self.table, id=key)
        matches = [row for row in self.rows(state) if row["name"] == key]
        if not matches:
            raise RefusedError("not_found", f"there is no {self.noun} {key[:100]!r}")
        if len(matches) > 1:
            raise RefusedError(
                "conflict", f"several entities of type {self.noun} have the name {key[:100]!r}"
            )
        return matches[0]

    def only_row(self, state: State) -> dict[str, Cell]:
        """Return the only row of an entity with `is_single`."""
        return self.rows(state)[0]

    def add(self, state: State, name: str, values: Mapping[str, Cell]) -> dict[str, Cell]:
        """Add a row, whose id is derived from its content, and return the row."""
        new_id = state.new_id(self.table, name, *values.values())
        state.add(self.table, id=new_id, name=name, **values)
        return state.row(self.table, id=new_id)


def entities_of(methods: Sequence[Method]) -> Mapping[str, Entity]:
    """Return a mapping from nouns to the entities that methods act on or take as parameters."""
    nouns = [method.entity for method in methods if method.entity]
    nouns += [
        entity
        for method in methods
        for parameter in own_parameters(method.definition)
        if (entity := entity_of(parameter))
    ]
    entities: dict[str, Entity] = {}
    tables: set[str] = set()
    for noun in dict.fromkeys(nouns):
        entity_methods = [method for method in methods if method.entity == noun]
        properties: dict[str, Parameter] = {}
        for method in entity_methods:
            for parameter in method.properties:
                if parameter.name != method.naming:
                    properties.setdefault(parameter.name, parameter)
        table = _free(noun.lower(), tables, _RESERVED)
        entities[noun] = Entity(
            noun=noun,
            table=table,
            columns=_columns(properties),
            properties=properties,
            is_single=bool(entity_methods) and all(map(_has_single_row, entity_methods)),
            is_findable=any(finds_by_name(method) for method in entity_methods),
        )
    return entities


def _has_single_row(method: Method) -> bool:
    lists = any(result.multiple for result in method.definition.returns)
    return not method.target and method.verb in {"find", "update", "toggle"} and not lists


def finds_by_name(method: Method) -> bool:
    """Whether a method is a search that finds entities by a part of their name."""
    target = next((p for p in method.definition.parameters if p.name == method.target), None)
    return (
        method.verb == "find"
        and not method.stub
        and target is not None
        and (is_query(target) or entity_of(target) != method.entity)
    )


def _columns(names: Iterable[str]) -> Mapping[str, str]:
    used_names: set[str] = set()
    return {name: _free(name, used_names, _TAKEN) for name in names}


def _free(name: str, used_names: set[str], reserved: frozenset[str]) -> str:
    free = _NOT_IN_NAMES.sub("_", name) or "_"
    while free.lower() in used_names | reserved or free.lower().startswith("sqlite_"):
        free = f"its_{free}"
    used_names.add(free.lower())
    return free


def schema_of(entities: Mapping[str, Entity]) -> str:
    """Return the SQL that creates the tables; the columns of properties contain JSON."""
    tables = [
        f"CREATE TABLE {CALLS} (id TEXT PRIMARY KEY, api TEXT NOT NULL, arguments TEXT NOT NULL)"
    ]
    for entity in entities.values():
        columns = "".join(f', "{column}" TEXT' for column in entity.columns.values())
        tables.append(
            f'CREATE TABLE "{entity.table}" (id TEXT PRIMARY KEY, name TEXT NOT NULL{columns})'
        )
    return "\n".join(f"{table} STRICT;" for table in tables)


def fill(state: State, entities: Mapping[str, Entity]) -> None:
    """Add the initial rows, with invented names and values that fit the entities and properties."""
    for entity in entities.values():
        names = (entity.noun,) if entity.is_single else old_names(entity.noun)
        for number, name in enumerate(names or (f"{word} {entity.noun}" for word in _UNNAMED)):
            values = {
                entity.columns[parameter.name]: encoded(
                    choices[pick(number, 0, parameter.name, len(choices))]
                )
                for parameter in entity.properties.values()
                if (choices := values_for(parameter, entity.noun)) and not parameter.multiple
            }
            entity.add(state, name, values)


def note_call(state: State, api: str, arguments: Mapping[str, Plain]) -> None:
    """Record a call in the table of calls; calls of the same API have no other effect."""
    text = encoded(dict(arguments))
    state.add(CALLS, id=state.new_id(CALLS, api, text), api=api, arguments=text)


def encoded(value: Plain) -> str:
    """Encode a value as JSON, to store it in the column of a property.

    Raises:
        RefusedError: JSON cannot represent the value.
    """
    try:
        return _ENCODER.encode(value).decode()
    except (OverflowError, UnicodeEncodeError, RecursionError) as error:
        raise RefusedError("invalid_argument", f"the value cannot be stored: {error}") from error
