"""The page that shows the first rows of an export, and the command that writes all of them."""

from fastapi import FastAPI, Request, Response

from flows.explorer.errors import AskedError, ExploreError
from flows.explorer.exported_rows import (
    TABLES,
    ExportChoice,
    WrittenRows,
    first_rows,
    writing_formats,
)
from flows.explorer.web.site import EXPORT, Site, asked

_FIRST_FORMAT = "trl"
SPLITS = ("train", "validation", "test")


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page of exported rows."""
    release = site.release
    tables = [name for name in TABLES if release.has(name)]
    if not release.has("queries") or not tables:
        return

    def rows(request: Request) -> Response:
        choice = ExportChoice(
            format=asked(request, "format") or _FIRST_FORMAT,
            table=asked(request, "table") or _most_written(site, tables),
            split=asked(request, "split"),
            templates=asked(request, "templates") == "1",
        )
        if choice.split not in {"", *SPLITS}:
            raise AskedError(f"'{choice.split}' is not one of {', '.join(SPLITS)}")
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
