"""Serve the list of dialogues, and a page that shows one dialogue turn by turn."""

from fastapi import FastAPI, Request, Response

from benchloom.core.records import Dialogue
from flows.explorer.errors import AbsentError
from flows.explorer.open_release import typed
from flows.explorer.related_rows import rows_where
from flows.explorer.selection import page_number
from flows.explorer.views.conversations import turn_views
from flows.explorer.views.plans import PlanView, plan_view
from flows.explorer.web.site import CONVERSATIONS, Site, query_parameter

ROWS = 20


def add_to(app: FastAPI, site: Site) -> None:
    """Add the list of dialogues and the page of one dialogue to the application."""
    release = site.release

    @app.get(CONVERSATIONS)
    def conversations(request: Request) -> Response:
        table = release.table("dialogues")
        page = page_number(query_parameter(request, "page"))
        rows = release.ask("SELECT * FROM dialogues LIMIT ? OFFSET ?", [ROWS, (page - 1) * ROWS])
        dialogues = typed(rows, Dialogue, "dialogues")
        plans = _plans(site, [dialogue.path_id for dialogue in dialogues])
        return site.page(
            "conversations.html.j2",
            request,
            "Conversations",
            dialogues=[(dialogue, plans.get(dialogue.path_id or "")) for dialogue in dialogues],
            total=table.rows,
            page=page,
            pages=max(1, -(-table.rows // ROWS)),
            path=CONVERSATIONS,
        )

    @app.get("/conversation")
    def conversation(request: Request) -> Response:
        release.table("dialogues")
        key = [query_parameter(request, name) for name in ("of", "at", "id")]
        rows = release.ask(
            "SELECT * FROM dialogues WHERE source = ? AND source_uri = ? AND source_id = ? LIMIT 1",
            key,
        )
        if not rows:
            raise AbsentError("this release does not have this conversation")
        (dialogue,) = typed(rows, Dialogue, "dialogues")
        plan = _plans(site, [dialogue.path_id]).get(dialogue.path_id or "")
        results = rows_where(release, "service_results", "dialogue_id", [dialogue.dialogue_id])
        return site.page(
            "conversation.html.j2",
            request,
            f"{dialogue.source} {dialogue.source_id}",
            row=dialogue,
            turns=turn_views(dialogue, plan, results),
            plan=plan,
        )


def _plans(site: Site, path_ids: list[str | None]) -> dict[str, PlanView]:
    rows = rows_where(site.release, "planning_paths", "path_id", path_ids)
    return {row["path_id"]: plan_view(row) for row in rows}
