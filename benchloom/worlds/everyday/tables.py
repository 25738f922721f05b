"""The tables of apps, with operations that find, add, change and remove rows."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec

from benchloom.worlds.everyday.rules import USER, Id, matching, record
from benchloom.worlds.state import Cell, RefusedError, Row, State
from benchloom.worlds.tool import Declared, DeclaredTool

T = TypeVar("T", bound=msgspec.Struct)
_NO_CONDITIONS: Mapping[str, Cell] = MappingProxyType({})


class Table(Generic[T]):
    """A table whose rows are converted to records of one type, whose first field is the id.

        ALARMS = Table("alarms", Alarm, id_of=("time", "label"), order="time, alarm_id")
        ALARMS.add(state, time="07:05", label="Tea", enabled=1)

    Args:
        name: the name of the table, or of a view whose rows are only read.
        kind: the type of the records; the table may have more columns.
        id_of: the columns from which the id of a new row is derived.
        order: the order in which a search finds rows.
        searched: the columns in which `search` looks for a query.
        owned: the noun for a row in messages; if there is one, `get` refuses other people's rows.
        parts: a mapping from fields of a record to other tables. Each of these fields lists the
            rows of the other table that contain the id of the record.
    """

    def __init__(
        self,
        name: str,
        kind: type[T],
        *,
        id_of: Sequence[str] = ("name",),
        order: str = "name",
        searched: Sequence[str] = ("name",),
        owned: str = "",
        parts: Mapping[str, "Table[Any]"] = MappingProxyType({}),
    ) -> None:
        self.name, self.kind = name, kind
        self.id_of, self.order, self.searched = id_of, order, searched
        self.owned, self.parts = owned, parts
        self.key = msgspec.structs.fields(kind)[0].name

    def get(self, state: State, row_id: Cell) -> T:
        """Return the row with an id, as a record.

        Raises:
            RefusedError: the row does not exist, or belongs to another person (see `owned`).
        """
        row = state.row(self.name, **{self.key: row_id})
        if self.owned and row["person_id"] != USER:
            raise RefusedError("permission", f"the {self.owned} belongs to another person")
        return self._record(state, row)

    def search(
        self,
        state: State,
        query: str = "",
        limit: int | None = None,
        where: Mapping[str, Cell] = _NO_CONDITIONS,
        **equal: Cell,
    ) -> list[T]:
        """Return at most `limit` rows, as records, that contain `query` in a searched column.

        `where` has conditions in SQL, each with a value; `equal` has values of columns. Conditions
        and columns whose value is None are ignored.
        """
        conditions = {**where, **{f"{name} = ?": value for name, value in equal.items()}}
        active = {condition: value for condition, value in conditions.items() if value is not None}
        # The query is matched in Python, because SQLite folds the case of ASCII letters only, so a
        # limit in SQL would come too early.
        most = -1 if query or limit is None else limit
        rows = state.rows(
            f"SELECT * FROM {self.name} WHERE {' AND '.join(active) or 1} "  # noqa: S608  the names are written in the code
            f"ORDER BY {self.order} LIMIT ?",
            *active.values(),
            most,
        )
        return [self._record(state, row) for row in matching(rows, query, self.searched, limit)]

    def add(self, state: State, *content: Cell, **values: Cell) -> T:
        """Add a row, and return it as a record.

        The new id is derived from `content`, or by default from the values of the columns `id_of`.
        """
        new_id = state.new_id(self.name, *(content or [values[name] for name in self.id_of]))
        state.add(self.name, **{self.key: new_id}, **values)
        return self._record(state, state.row(self.name, **{self.key: new_id}))

    def change(self, state: State, row_id: str, **values: Cell) -> T:
        """Change columns of a row, and return the row as a record."""
        state.change(self.name, {self.key: row_id}, **values)
        return self.get(state, row_id)

    def remove(self, state: State, row_id: str) -> T:
        """Remove a row, and return it as a record."""
        record = self.get(state, row_id)
        state.remove(self.name, **{self.key: row_id})
        return record

    def get_tool(self, tool: str, about: str) -> DeclaredTool:
        """Return a tool that reads a row by its id.

        `tool` is the full name of the tool, such as `bank.get_account`; `about` describes the tool.
        """
        return self._by_id(tool, about, "its id.", reads=True)

    def remove_tool(self, tool: str, about: str, key: str = "its id.") -> DeclaredTool:
        """Return a tool that removes a row by its id, and returns the row.

        `tool` and `about` are as in `get_tool`; `key` describes the id.
        """
        return self._by_id(tool, about, key, reads=False)

    def _record(self, state: State, row: Row) -> T:
        of_row = {f"{self.key} = ?": row[self.key]}
        parts = {field: table.search(state, where=of_row) for field, table in self.parts.items()}
        return record(self.kind, row, **parts)

    def _by_id(self, tool: str, about: str, key: str, *, reads: bool) -> DeclaredTool:
        app, _, name = tool.partition(".")
        function = self.get if reads else self.remove
        return DeclaredTool(
            app,
            name,
            about,
            [Declared(self.key, Id, required=True, about=key)],
            lambda state, arguments: function(state, str(arguments[self.key])),
            result=self.kind,
            reads=reads,
        )
