"""Read the user's selection of rows (words, filters, order, page) from a URL, and write its SQL."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import msgspec

from flows.explorer.database import identifier
from flows.explorer.errors import BadRequestError
from flows.explorer.open_release import Column, Table

PAGE_ROWS = 50
MAX_FILTERS = 20
MAX_TEXT = 500
"""Maximum number of characters of a searched word or value."""
MAX_PAGE = 1_000_000
RELATIONS = {
    "is": "is",
    "not": "is not",
    "has": "contains",
    "from": "at least",
    "to": "at most",
    "none": "has no value",
    "some": "has a value",
}
"""Relations that a filter may use, with the words that pages show for them."""
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
"""The columns that are searched in some tables. In other tables all columns of texts are searched.
"""


class Filter(msgspec.Struct, frozen=True):
    """A condition on the values of one column; `relation` is one of `RELATIONS`."""

    column: str
    relation: str
    value: str = ""

    def __str__(self) -> str:
        """Return the condition in readable form."""
        return f"{self.column} {RELATIONS.get(self.relation, self.relation)} {self.value}".strip()


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The user's selection of rows of a table.

    `words` are searched, also in long texts if `long` is true. `page` counts from 1. `uses` is an
    API; only shortcuts that use it are selected.
    """

    words: str = ""
    filters: tuple[Filter, ...] = ()
    sort: str = ""
    descending: bool = False
    page: int = 1
    long: bool = False
    uses: str = ""

    def query(self, **changes: object) -> str:
        """Return the URL query string of the selection, after changing some of its fields.

        The result leads to the first page, unless `page` is changed.
        """
        selection = msgspec.structs.replace(self, **({"page": 1} | changes))
        pairs: list[tuple[str, str]] = [("q", selection.words)] if selection.words else []
        pairs += [("long", "1")] if selection.long else []
        pairs += [("uses", selection.uses)] if selection.uses else []
        for row_filter in selection.filters:
            pairs += [
                ("column", row_filter.column),
                ("relation", row_filter.relation),
                ("value", row_filter.value),
            ]
        pairs += [("sort", selection.sort)] if selection.sort else []
        pairs += [("down", "1")] if selection.descending else []
        pairs += [("page", str(selection.page))] if selection.page > 1 else []
        return urlencode(pairs)

    def with_filter(self, column: str, value: str) -> str:
        """Return the URL query string with one additional condition."""
        return self.query(filters=(*self.filters, Filter(column, "is", value)))

    def without(self, index: int) -> str:
        """Return the URL query string without one of the conditions."""
        return self.query(filters=self.filters[:index] + self.filters[index + 1 :])

    def has(self, column: str, value: str) -> bool:
        """Whether the selection filters for this value of the column."""
        return Filter(column, "is", value) in self.filters


def read_selection(pairs: Sequence[tuple[str, str]], table: Table) -> Selection:
    """Parse a selection from URL parameters; filters without a column are ignored.

    Raises:
        BadRequestError: a column or comparison operator does not exist, or a limit is exceeded.
    """
    parameters: dict[str, list[str]] = {}
    for name, value in pairs:
        parameters.setdefault(name, []).append(value)
    columns, relations = parameters.get("column", []), parameters.get("relation", [])
    values = parameters.get("value", [])
    if not len(columns) == len(relations) == len(values):
        raise BadRequestError("every filter needs a column, a relation and a value")
    filters = tuple(
        _check(Filter(*triple), table)
        for triple in zip(columns, relations, values, strict=True)
        if triple[0]
    )
    if len(filters) > MAX_FILTERS:
        raise BadRequestError(f"the selection has more than {MAX_FILTERS} filters; remove some")
    words, sort = _last(parameters, "q"), _last(parameters, "sort")
    if len(words) > MAX_TEXT:
        raise BadRequestError(f"the search text has more than {MAX_TEXT} characters")
    if sort and (table.column(sort) is None or table.column(sort) not in sortable(table)):
        raise BadRequestError(f"{table.name} cannot be sorted by '{sort}'")
    return Selection(
        words=words,
        filters=filters,
        sort=sort,
        descending=_last(parameters, "down") == "1",
        page=page_number(_last(parameters, "page")),
        long=_last(parameters, "long") == "1",
        uses=_last(parameters, "uses")[:MAX_TEXT],
    )


def _last(parameters: Mapping[str, list[str]], name: str) -> str:
    return parameters.get(name, [""])[-1].strip()


def page_number(text: str) -> int:
    """Return the page number in a URL, or 1 if the text is not a page number."""
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(MAX_PAGE)):
        return 1
    return min(max(int(text), 1), MAX_PAGE)


def _check(row_filter: Filter, table: Table) -> Filter:
    column = table.column(row_filter.column)
    if column is None:
        raise BadRequestError(f"{table.name} has no column '{row_filter.column}'")
    if row_filter.relation not in RELATIONS:
        raise BadRequestError(f"'{row_filter.relation}' is not one of {', '.join(RELATIONS)}")
    if column.kind == "nested" and row_filter.relation not in _WITHOUT_VALUE:
        raise BadRequestError(
            f"{row_filter.column} contains records; filter it only by 'has a value' or "
            f"'has no value'"
        )
    if len(row_filter.value) > MAX_TEXT:
        raise BadRequestError(f"the value of a filter has more than {MAX_TEXT} characters")
    return row_filter


def sortable(table: Table) -> list[Column]:
    """Return the columns by which a user can sort the rows."""
    return [column for column in table.columns if column.kind in {"text", "number", "flag"}]


def searched(table: Table, *, long: bool = False) -> list[Column]:
    """Return the columns of texts, except ids, in which words are searched.

    Columns of long texts are searched only on request.
    """
    names = _TEXTS.get(table.name)
    return [
        column
        for column in table.columns
        if column.kind in {"text", "texts"}
        and (column.is_long if names and column.name not in names else not is_id(column))
        and (long or not column.is_long)
    ]


def is_id(column: Column) -> bool:
    """Whether a column contains ids, digests or addresses, judging by its name."""
    return column.name.endswith(_MARKS)


class Condition(msgspec.Struct, frozen=True):
    """An SQL condition for WHERE (`true` if every row is selected), and the values to bind."""

    text: str
    values: tuple[object, ...]


def condition_of(selection: Selection, table: Table, further: Condition | None = None) -> Condition:
    """Return the SQL condition of a selection, combined with a `further` condition.

    The user's values are bound as parameters, and names of columns are taken from the table, so
    that a user cannot inject SQL.
    """
    parts: list[str] = [further.text] if further else []
    values: list[object] = [*further.values] if further else []
    columns = searched(table, long=selection.long)
    for word in selection.words.split():
        conditions = [f"contains(lower({_as_text(column)}), lower(?))" for column in columns]
        parts.append(f"({' OR '.join(conditions)})" if conditions else "false")
        values += [word] * len(columns)
    for row_filter in selection.filters:
        for column in table.columns:
            if column.name == row_filter.column:
                text, bound_values = _condition(column, row_filter)
                parts.append(text)
                values += bound_values
    return Condition(" AND ".join(parts) or "true", tuple(values))


def _as_text(column: Column) -> str:
    name = identifier(column.name)
    return f"array_to_string({name}, chr(10))" if column.kind == "texts" else name


def _condition(column: Column, row_filter: Filter) -> tuple[str, list[object]]:
    name = identifier(column.name)
    empty = f"len({name}) = 0 OR " if column.kind == "texts" else ""
    match row_filter.relation:
        case "none":
            return f"({empty}{name} IS NULL)", []
        case "some":
            return f"NOT ({empty}{name} IS NULL)", []
        case "has":
            cast_expression = (
                f"CAST({name} AS VARCHAR)" if column.kind in {"number", "flag"} else ""
            )
            return f"contains(lower({cast_expression or _as_text(column)}), lower(?))", [
                row_filter.value
            ]
        case "is" | "not" if column.kind == "texts":
            list_condition = f"coalesce(list_contains({name}, ?), false)"
            return (list_condition if row_filter.relation == "is" else f"NOT {list_condition}"), [
                row_filter.value
            ]
        case "is":
            return f"{name} = ?", [_value(column, row_filter.value)]
        case "not":
            return f"{name} IS DISTINCT FROM ?", [_value(column, row_filter.value)]
    if column.kind == "texts":
        raise BadRequestError(f"{column.name} contains lists, which cannot be compared")
    sign = ">=" if row_filter.relation == "from" else "<="
    return f"{name} {sign} ?", [_value(column, row_filter.value)]


def _value(column: Column, text: str) -> object:
    if column.kind == "flag":
        if text.casefold() not in {"true", "false", "yes", "no"}:
            raise BadRequestError(f"{column.name} is true or false, not '{text}'")
        return text.casefold() in {"true", "yes"}
    if column.kind == "number":
        try:
            return int(text) if text.lstrip("-").isdecimal() and len(text) < 19 else float(text)
        except ValueError:
            raise BadRequestError(f"{column.name} is a number, not '{text}'") from None
    return text


def order_of(selection: Selection, table: Table) -> str:
    """Return the SQL clause that sorts the rows; by default they are in stored order."""
    if not selection.sort:
        return ""
    direction = "DESC" if selection.descending else "ASC"
    names = [f"{identifier(selection.sort)} {direction} NULLS LAST"]
    names += [identifier(key_column) for key_column in table.key if key_column != selection.sort]
    return f"ORDER BY {', '.join(names)}"
