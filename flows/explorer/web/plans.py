"""Serve the page of a plan, with its calls, dialogues and texts."""

from fastapi import FastAPI, Request, Response

from benchloom.core.records import Dialogue
from flows.explorer.errors import AbsentError
from flows.explorer.related_rows import records_where, rows_where, written_about
from flows.explorer.views.plans import plan_view
from flows.explorer.web.site import Site, query_parameter


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page of a plan to the application."""

    @app.get("/plan")
    def plan(request: Request) -> Response:
        path_id = query_parameter(request, "id")
        rows = rows_where(site.release, "planning_paths", "path_id", [path_id], 1)
        if not rows:
            raise AbsentError("this release does not have this plan")
        plan_page = plan_view(rows[0])
        return site.page(
            "plan.html.j2",
            request,
            plan_page.title,
            view=plan_page,
            row=plan_page.row,
            dialogues=records_where(site.release, Dialogue, "dialogues", "path_id", [path_id]),
            results=rows_where(site.release, "service_results", "path_id", [path_id]),
            written=written_about(site.release, path_id),
        )
