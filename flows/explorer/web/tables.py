"""The list of tables, and the page with the rows of one table."""

import msgspec
from fastapi import FastAPI, Request, Response

from flows.explorer.export import EXPORTS
from flows.explorer.selection import RELATIONS, read_selection, searched, sortable
from flows.explorer.views.cells import listed_row
from flows.explorer.web.site import DOORS, Site


class Door(msgspec.Struct, frozen=True):
    """A link from the list of tables to the rows of one."""

    place: str
    label: str
    count: int
    text: str


def add_to(app: FastAPI, site: Site) -> None:
    """Add the list of tables, which is the first page without texts, and the page of a table."""
    release = site.release

    def overview(request: Request) -> Response:
        tables = release.tables
        doors = [
            Door(page or f"/tables/{name}", label, tables[name].rows, text)
            for name, label, text, page in DOORS
            if release.has(name)
        ]
        return site.page(
            "home.html.j2", request, "Tables", doors=doors, tables=list(tables.values())
        )

    def rows(request: Request) -> Response:
        table = release.table(request.path_params["table"])
        chosen = read_selection(request.query_params.multi_items(), table)
        listed = site.lists.page(table, chosen)
        site.lists.uses.start()  # not before: both would take longer
        short = {column.name for column in searched(table)}
        long = [column.name for column in searched(table, long=True) if column.name not in short]
        return site.page(
            "table.html.j2",
            request,
            table.name,
            heading=table.name,
            table=table,
            chosen=chosen,
            listed=listed,
            rows=[listed_row(table, listed.columns, row) for row in listed.rows],
            relations=RELATIONS,
            sortable=sortable(table),
            long=", ".join(long),
            exports=tuple(EXPORTS),
        )

    app.get("/tables")(overview)
    if not release.has("queries"):
        app.get("/")(overview)
    app.get("/tables/{table}")(rows)
