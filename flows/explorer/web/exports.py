"""Selected rows as files, and the first rows as `release export` writes them."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from flows.explorer.errors import AbsentError, BadRequestError, ExploreError
from flows.explorer.export import EXPORTS
from flows.explorer.exported_rows import (
    TABLES,
    ExportChoice,
    WrittenRows,
    first_rows,
    writing_formats,
)
from flows.explorer.selection import read_selection
from flows.explorer.web.site import EXPORT, Site, query_parameter

_FIRST_FORMAT = "trl"
SPLITS = ("train", "validation", "test")


def add_to(app: FastAPI, site: Site) -> None:
    """Add the routes for exported files to the application."""

    def export(request: Request) -> Response:
        name, _, kind = request.path_params["file"].rpartition(".")
        if kind not in EXPORTS:
            raise AbsentError(f"'{kind}' is not one of {', '.join(EXPORTS)}")
        table = site.release.table(name)
        batches = site.lists.stream(
            table, read_selection(request.query_params.multi_items(), table)
        )
        schema = next(batches).schema  # faults of the question are told before anything is sent
        written, content_type = EXPORTS[kind]
        file = f"{table.name}-{site.release.manifest.version}.{kind}"
        return StreamingResponse(
            written(schema, batches),
            media_type=content_type,
            headers={"Content-Disposition": f'attachment; filename="{file}"'},
        )

    app.get("/export/{file}")(export)
    _add_rows(app, site)


def _add_rows(app: FastAPI, site: Site) -> None:
    """Add the page of the first rows of an export, if there are any texts."""
    release = site.release
    tables = [name for name in TABLES if release.has(name)]
    if not release.has("queries") or not tables:
        return

    def rows(request: Request) -> Response:
        choice = ExportChoice(
            format=query_parameter(request, "format") or _FIRST_FORMAT,
            table=query_parameter(request, "table") or _most_written(site, tables),
            split=query_parameter(request, "split"),
            templates=query_parameter(request, "templates") == "1",
        )
        if choice.split not in {"", *SPLITS}:
            raise BadRequestError(f"'{choice.split}' is not one of {', '.join(SPLITS)}")
        written, fault = WrittenRows((), 0, 0, ()), ""
        try:
            written = first_rows(release, choice)
        except ExploreError as error:
            fault = str(error)
        return site.page(
            "exported_rows.html.j2",
            request,
            "Export",
            choice=choice,
            written=written,
            fault=fault,
            formats=writing_formats(),
            tables=tables,
            splits=SPLITS,
            command=choice.command(release.folder),
            place=EXPORT,
        )

    app.get(EXPORT)(rows)


def _most_written(site: Site, tables: list[str]) -> str:
    """Return the first table with texts that no template wrote, else the first table."""
    for table in tables:
        column = TABLES[table]
        if site.release.ask(
            f"SELECT 1 FROM queries WHERE kept AND generator <> 'template' AND target_id IN "  # noqa: S608  names are ours
            f"(SELECT {column} FROM {table}) LIMIT 1"
        ):
            return table
    return tables[0]
