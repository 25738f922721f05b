"""Serve the search page, which shows the rows of several tables that contain some words."""

import msgspec
from fastapi import FastAPI, Request, Response

from flows.explorer.database import identifier, select
from flows.explorer.open_release import Table
from flows.explorer.selection import MAX_TEXT, Selection, condition_of, searched
from flows.explorer.table_page import list_columns
from flows.explorer.views.cells import ListedRow, listed_row
from flows.explorer.web.site import Site, query_parameter

_FIRST = ("shortcuts", "queries", "api_definitions", "listings", "apps")
"""The tables that are searched, in the order of the results."""
_MOST = 8


class Hits(msgspec.Struct, frozen=True):
    """The first matching rows of one table, and whether there are more."""

    table: Table
    rows: tuple[ListedRow, ...]
    more: bool


def add_to(app: FastAPI, site: Site) -> None:
    """Add the search page to the application."""

    @app.get("/search")
    def search(request: Request) -> Response:
        words = query_parameter(request, "q").strip()[:MAX_TEXT]
        hits = [_hits(site, name, words) for name in _FIRST if words and site.release.has(name)]
        return site.page(
            "search.html.j2",
            request,
            f"Search: {words}" if words else "Search",
            words=words,
            hits=[table_hits for table_hits in hits if table_hits.rows],
        )


def _hits(site: Site, name: str, words: str) -> Hits:
    table = site.release.table(name)
    condition = condition_of(Selection(words=words), table)
    columns = list_columns(table)[:4]
    column_names = dict.fromkeys([*(column.name for column in columns), *table.key])
    column_list = ", ".join(map(identifier, column_names))
    title = columns[0].name if columns[0] in searched(table) else ""
    first = f"ORDER BY NOT contains(lower({identifier(title)}), lower(?))" if title else ""
    rows = site.release.ask(
        select(column_list, name, condition.text, f"{first} LIMIT ?"),
        [*condition.values, *([words] if title else []), _MOST + 1],
    )
    visible_rows = tuple(listed_row(table, columns, row) for row in rows[:_MOST])
    return Hits(table, visible_rows, len(rows) > _MOST)
