"""Serve the pages of an API, of an app and of an author, each with its shortcuts."""

from fastapi import FastAPI, Request, Response

from benchloom.core.records import ApiDefinition, App
from flows.explorer.database import select
from flows.explorer.errors import AbsentError
from flows.explorer.related_rows import records_where, rows_where
from flows.explorer.selection import Selection
from flows.explorer.table_page import TablePage
from flows.explorer.views.cells import ListedRow, listed_row
from flows.explorer.web.site import Site, query_parameter


def add_to(app: FastAPI, site: Site) -> None:
    """Add the pages of APIs, apps and authors to the application."""
    _add_api(app, site)
    _add_app(app, site)
    _add_author(app, site)


def _add_api(app: FastAPI, site: Site) -> None:
    release, uses = site.release, site.lists.uses

    @app.get("/api")
    def api(request: Request) -> Response:
        name = query_parameter(request, "name")
        definitions = records_where(release, ApiDefinition, "api_definitions", "api", [name])
        is_counted = uses.is_ready() and not uses.fault
        count = uses.count(name) if is_counted else 0
        plans = _plans(site, name)
        if not definitions and not count and not plans:
            raise AbsentError("no shortcut, plan or definition has this API")
        values, invocation_count = uses.values(name) if count else ((), 0)
        shortcuts = _first_shortcuts(site, Selection(uses=name)) if count else []
        return site.page(
            "api.html.j2",
            request,
            (definitions[0].title if definitions else None) or name,
            name=name,
            definitions=definitions,
            count=count,
            is_counted=is_counted,
            values=values,
            seen=invocation_count,
            shortcuts=shortcuts,
            plans=plans,
        )


def _add_app(app: FastAPI, site: Site) -> None:
    release, uses = site.release, site.lists.uses

    @app.get("/app")
    def app_page(request: Request) -> Response:
        name = query_parameter(request, "name")
        apps = records_where(release, App, "apps", "app", [name])
        definitions = records_where(release, ApiDefinition, "api_definitions", "app", [name])
        is_counted = uses.is_ready() and not uses.fault
        used_apis = uses.apis_of(name) if is_counted else []
        if not apps and not definitions and not used_apis:
            raise AbsentError("this release does not have this app")
        return site.page(
            "app.html.j2",
            request,
            name,
            name=name,
            app=apps[0] if apps else None,
            is_counted=is_counted,
            used=used_apis,
            titles={definition.api: definition.title or "" for definition in definitions},
            unused=sorted(
                {definition.api for definition in definitions} - {api for api, _ in used_apis}
            ),
        )


def _add_author(app: FastAPI, site: Site) -> None:
    release = site.release

    @app.get("/author")
    def author(request: Request) -> Response:
        name = query_parameter(request, "name")
        rows = rows_where(release, "listings", "author_credit", [name])
        if not rows:
            raise AbsentError("no listing names this author")
        table = release.table("listings")
        icloud_ids = [row["icloud_id"] for row in rows if row["icloud_id"]]
        return site.page(
            "author.html.j2",
            request,
            name,
            name=name,
            listings=[(listed_row(table, table.columns, row).url, row) for row in rows],
            shortcuts=_of_icloud(site, icloud_ids),
        )


def _first_shortcuts(site: Site, selection: Selection) -> list[ListedRow]:
    table = site.release.table("shortcuts")
    listed: TablePage = site.lists.page(table, selection)
    return [listed_row(table, listed.columns, row) for row in listed.rows[:20]]


def _of_icloud(site: Site, icloud_ids: list[str]) -> list[ListedRow]:
    if not icloud_ids or not site.release.has("shortcuts"):
        return []
    names = ("name", "level", "action_count")
    return _list_rows(
        site, "shortcuts", names, "list_has_any(icloud_ids, ?) LIMIT 200", [icloud_ids]
    )


def _plans(site: Site, api: str) -> list[ListedRow]:
    """Return the first plans that call an API, whether they name it with or without its app."""
    if not site.release.has("planning_paths"):
        return []
    calls_it = "step.api = ? OR step.app || '.' || step.api = ?"
    condition = f"len(list_filter(steps, lambda step: {calls_it})) > 0 LIMIT 20"
    names = ("path_id", "category", "source", "split")
    return _list_rows(site, "planning_paths", names, condition, [api, api])


def _list_rows(
    site: Site, name: str, names: tuple[str, ...], condition: str, values: list[object]
) -> list[ListedRow]:
    """Return some columns of the rows that meet an SQL condition.

    The condition must not contain text from a user; `values` are bound to it.
    """
    table = site.release.table(name)
    columns = [column for column in map(table.column, names) if column is not None]
    selected = ", ".join(dict.fromkeys((*names, *table.key)))
    rows = site.release.ask(select(selected, name, condition), values)
    return [listed_row(table, columns, row) for row in rows]
