"""Serve the list of tables, the page of a table, its rows as files, and the page of one row."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from flows.explorer.database import select
from flows.explorer.errors import AbsentError, BadRequestError
from flows.explorer.export import EXPORTS
from flows.explorer.selection import (
    RELATIONS,
    Filter,
    Selection,
    condition_of,
    read_selection,
    searched,
    sortable,
)
from flows.explorer.views.cells import PAGES, listed_row, row_url
from flows.explorer.views.rows import lines_of, links_of
from flows.explorer.web.site import Site, query_parameter


def add_to(app: FastAPI, site: Site) -> None:
    """Add the pages of tables; the list of tables is the first page of a release without texts."""
    release = site.release

    @app.get("/tables")
    def overview(request: Request) -> Response:
        return site.page("home.html.j2", request, "Tables", tables=list(release.tables.values()))

    if not release.has("queries"):
        app.get("/")(overview)

    @app.get("/tables/{name}")
    def rows(request: Request, name: str) -> Response:
        table = release.table(name)
        chosen = read_selection(request.query_params.multi_items(), table)
        listed = site.lists.page(table, chosen)
        site.lists.uses.start()  # not earlier: in parallel both would take longer
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
            sql=f"""duckdb.sql("FROM '{release.folder}/{table.name}/*.parquet'")""",
        )

    @app.get("/export/{path}")
    def export(request: Request, path: str) -> Response:
        name, _, kind = path.rpartition(".")
        if kind not in EXPORTS:
            raise AbsentError(f"'{kind}' is not one of {', '.join(EXPORTS)}")
        table = release.table(name)
        chosen = read_selection(request.query_params.multi_items(), table)
        batches = site.lists.stream(table, chosen)
        schema = next(batches).schema  # a fault of the selection becomes a page, not half a file
        written, content_type = EXPORTS[kind]
        file = f"{table.name}-{release.manifest.version}.{kind}"
        return StreamingResponse(
            written(schema, batches),
            media_type=content_type,
            headers={"Content-Disposition": f'attachment; filename="{file}"'},
        )

    _add_row(app, site)


def _add_row(app: FastAPI, site: Site) -> None:

    @app.get("/tables/{name}/row")
    def row(request: Request, name: str) -> Response:
        table = site.release.table(name)
        if not table.key:
            raise BadRequestError(f"{table.name} has no key, so its rows have no pages")
        filters = tuple(
            Filter(name, "is", query_parameter(request, name))
            if name in request.query_params
            else Filter(name, "none")
            for name in table.key
        )
        condition = condition_of(Selection(filters=filters), table)
        statement = select("*", table.name, condition.text, "LIMIT 1")
        rows = site.release.ask(statement, condition.values)
        if not rows:
            raise AbsentError(f"{table.name} does not have this row")
        page_url = row_url(table, rows[0]) if table.name in PAGES else ""
        return site.page(
            "row.html.j2",
            request,
            f"A row of {table.name}",
            table=table,
            lines=lines_of(rows[0], table),
            links=links_of(site.release, table.name, rows[0]),
            own=page_url,
        )
