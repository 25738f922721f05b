"""The page of any row, with all its columns."""

from fastapi import FastAPI, Request, Response

from flows.explorer.database import identifier
from flows.explorer.errors import AbsentError, AskedError
from flows.explorer.selection import Filter, Selection, condition_of
from flows.explorer.views.cells import PAGES, place_of
from flows.explorer.views.rows import leads_of, lines_of
from flows.explorer.web.site import Site, asked


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page of a row to the application."""

    def row(request: Request) -> Response:
        table = site.release.table(request.path_params["table"])
        if not table.key:
            raise AskedError(f"rows of {table.name} have no key")
        filters = tuple(
            Filter(name, "is", asked(request, name))
            if name in request.query_params
            else Filter(name, "none")
            for name in table.key
        )
        condition = condition_of(Selection(filters=filters), table)
        rows = site.release.ask(
            f"SELECT * FROM {identifier(table.name)} WHERE {condition.text} LIMIT 1",  # noqa: S608  names are the table's, values are bound
            condition.values,
        )
        if not rows:
            raise AbsentError(f"{table.name} has no such row")
        own = place_of(table, rows[0]) if table.name in PAGES else ""
        return site.page(
            "row.html.j2",
            request,
            f"A row of {table.name}",
            table=table,
            lines=lines_of(rows[0], table),
            leads=leads_of(site.release, table.name, rows[0]),
            own=own,
        )

    app.get("/tables/{table}/row")(row)
