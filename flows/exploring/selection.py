"""What somebody chose of a table: words, filters, order, page. It stands in the address, whole."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import msgspec

from flows.exploring.database import identifier
from flows.exploring.errors import AskedError
from flows.exploring.opening import Column, Table

PAGE_ROWS = 50
MOST_FILTERS = 20
MOST_TEXT = 500
"""Characters of a word or value that is looked for."""
MOST_PAGE = 1_000_000
RELATIONS = {
    "is": "is",
    "not": "is not",
    "has": "contains",
    "from": "at least",
    "to": "at most",
    "none": "has no value",
    "some": "has a value",
}
"""What a filter may ask, and how pages call it."""
_WITHOUT_VALUE = frozenset({"none", "some"})
_MARKS = ("_id", "_ids", "_digest", "_uri", "_url", "capture", "digest", "cluster", "uuid")
_TEXTS = {
    "shortcuts": ("name", "description"),
    "listings": ("name", "tagline", "description", "category", "categories", "author_credit"),
    "queries": ("text",),
    "verdicts": ("reason", "evidence"),
    "api_definitions": ("api", "title", "description", "category", "keywords"),
    "icloud_records": ("name", "reason"),
}
"""The columns of some tables that people write in; of other tables it is every text."""


class Filter(msgspec.Struct, frozen=True):
    """A condition on one column."""

    column: str
    relation: str
    value: str = ""

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.column} {RELATIONS.get(self.relation, self.relation)} {self.value}".strip()


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of a table; `page` counts from 1, `long` has words looked for in long texts too."""

    words: str = ""
    filters: tuple[Filter, ...] = ()
    sort: str = ""
    descending: bool = False
    page: int = 1
    long: bool = False
    uses: str = ""

    def query(self, **changes: object) -> str:
        """The part of the address that says it, with some members changed."""
        told = msgspec.structs.replace(self, **({"page": 1} | changes))
        pairs: list[tuple[str, str]] = [("q", told.words)] if told.words else []
        pairs += [("long", "1")] if told.long else []
        pairs += [("uses", told.uses)] if told.uses else []
        for one in told.filters:
            pairs += [("column", one.column), ("relation", one.relation), ("value", one.value)]
        pairs += [("sort", told.sort)] if told.sort else []
        pairs += [("down", "1")] if told.descending else []
        pairs += [("page", str(told.page))] if told.page > 1 else []
        return urlencode(pairs)

    def with_filter(self, column: str, value: str) -> str:
        """The address with one further condition."""
        return self.query(filters=(*self.filters, Filter(column, "is", value)))

    def without(self, place: int) -> str:
        """The address without one condition."""
        return self.query(filters=self.filters[:place] + self.filters[place + 1 :])

    def has(self, column: str, value: str) -> bool:
        """Whether rows are asked for in which the column is this."""
        return Filter(column, "is", value) in self.filters


def read_selection(pairs: Sequence[tuple[str, str]], table: Table) -> Selection:
    """The selection that an address says; filters without a column are none.

    Raises:
        AskedError: a column or relation that is not there, or too much of anything.
    """
    told: dict[str, list[str]] = {}
    for name, value in pairs:
        told.setdefault(name, []).append(value)
    columns, relations = told.get("column", []), told.get("relation", [])
    values = told.get("value", [])
    if not len(columns) == len(relations) == len(values):
        raise AskedError("every filter has a column, a relation and a value")
    filters = tuple(
        _checked(Filter(*one), table)
        for one in zip(columns, relations, values, strict=True)
        if one[0]
    )
    if len(filters) > MOST_FILTERS:
        raise AskedError(f"more than {MOST_FILTERS} filters")
    words, sort = _last(told, "q"), _last(told, "sort")
    if len(words) > MOST_TEXT:
        raise AskedError(f"more than {MOST_TEXT} characters of words")
    if sort and (table.column(sort) is None or table.column(sort) not in sortable(table)):
        raise AskedError(f"{table.name} cannot be sorted by '{sort}'")
    return Selection(
        words=words,
        filters=filters,
        sort=sort,
        descending=_last(told, "down") == "1",
        page=_page(_last(told, "page")),
        long=_last(told, "long") == "1",
        uses=_last(told, "uses")[:MOST_TEXT],
    )


def _last(told: Mapping[str, list[str]], name: str) -> str:
    return told.get(name, [""])[-1].strip()


def _page(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(MOST_PAGE)):
        return 1
    return min(max(int(text), 1), MOST_PAGE)


def _checked(found: Filter, table: Table) -> Filter:
    column = table.column(found.column)
    if column is None:
        raise AskedError(f"{table.name} has no column '{found.column}'")
    if found.relation not in RELATIONS:
        raise AskedError(f"'{found.relation}' is none of {', '.join(RELATIONS)}")
    if column.kind == "nested" and found.relation not in _WITHOUT_VALUE:
        raise AskedError(f"{found.column} holds records: only 'has a value' can be asked of it")
    if len(found.value) > MOST_TEXT:
        raise AskedError(f"more than {MOST_TEXT} characters in a filter")
    return found


def sortable(table: Table) -> list[Column]:
    """The columns that rows can be put in order by."""
    return [one for one in table.columns if one.kind in {"text", "number", "flag"}]


def searched(table: Table, *, long: bool = False) -> list[Column]:
    """The columns in which words are looked for: texts, no ids; long ones where they are asked."""
    named = _TEXTS.get(table.name)
    return [
        one
        for one in table.columns
        if one.kind in {"text", "texts"}
        and (one.is_long if named and one.name not in named else not is_mark(one))
        and (long or not one.is_long)
    ]


def is_mark(column: Column) -> bool:
    """Whether a column holds ids, digests or places, by its name."""
    return column.name.endswith(_MARKS)


class Condition(msgspec.Struct, frozen=True):
    """What stands behind WHERE, true without conditions, and the values for its marks."""

    text: str
    values: tuple[object, ...]


def condition_of(selection: Selection, table: Table, further: Condition | None = None) -> Condition:
    """The rows of a selection in SQL; every value is bound, every name is one of the table's."""
    parts: list[str] = [further.text] if further else []
    values: list[object] = [*further.values] if further else []
    columns = searched(table, long=selection.long)
    for word in selection.words.split():
        found = [f"contains(lower({_as_text(one)}), lower(?))" for one in columns]
        parts.append(f"({' OR '.join(found)})" if found else "false")
        values += [word] * len(columns)
    for one in selection.filters:
        for column in table.columns:
            if column.name == one.column:
                text, given = _condition(column, one)
                parts.append(text)
                values += given
    return Condition(" AND ".join(parts) or "true", tuple(values))


def _as_text(column: Column) -> str:
    name = identifier(column.name)
    return f"array_to_string({name}, chr(10))" if column.kind == "texts" else name


def _condition(column: Column, asked: Filter) -> tuple[str, list[object]]:
    name = identifier(column.name)
    empty = f"len({name}) = 0 OR " if column.kind == "texts" else ""
    match asked.relation:
        case "none":
            return f"({empty}{name} IS NULL)", []
        case "some":
            return f"NOT ({empty}{name} IS NULL)", []
        case "has":
            shown = f"CAST({name} AS VARCHAR)" if column.kind in {"number", "flag"} else ""
            return f"contains(lower({shown or _as_text(column)}), lower(?))", [asked.value]
        case "is" | "not" if column.kind == "texts":
            found = f"coalesce(list_contains({name}, ?), false)"
            return (found if asked.relation == "is" else f"NOT {found}"), [asked.value]
        case "is":
            return f"{name} = ?", [_value(column, asked.value)]
        case "not":
            return f"{name} IS DISTINCT FROM ?", [_value(column, asked.value)]
    if column.kind == "texts":
        raise AskedError(f"{column.name} holds lists, which have no order")
    sign = ">=" if asked.relation == "from" else "<="
    return f"{name} {sign} ?", [_value(column, asked.value)]


def _value(column: Column, text: str) -> object:
    """The value of a filter in the column's type."""
    if column.kind == "flag":
        if text.casefold() not in {"true", "false", "yes", "no"}:
            raise AskedError(f"{column.name} is true or false, not '{text}'")
        return text.casefold() in {"true", "yes"}
    if column.kind == "number":
        try:
            return int(text) if text.lstrip("-").isdecimal() and len(text) < 19 else float(text)
        except ValueError:
            raise AskedError(f"{column.name} is a number, not '{text}'") from None
    return text


def order_of(selection: Selection, table: Table) -> str:
    """What stands behind SELECT ... to put the rows in order; stored order without a wish."""
    if not selection.sort:
        return ""
    direction = "DESC" if selection.descending else "ASC"
    names = [f"{identifier(selection.sort)} {direction} NULLS LAST"]
    names += [identifier(one) for one in table.key if one != selection.sort]
    return f"ORDER BY {', '.join(names)}"
