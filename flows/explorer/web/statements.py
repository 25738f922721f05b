"""The page for the user's SQL statements, and the download of their result rows."""

import time

from fastapi import FastAPI, Request, Response

from flows.explorer.errors import ExploreError
from flows.explorer.export import csv_lines
from flows.explorer.sql.queries import MAX_SQL, ROWS, Answer
from flows.explorer.views.cells import cell_text
from flows.explorer.web.site import Site, query_parameter

_EXPORTED = 10_000
"""Rows of a statement in a file."""
_EXAMPLES = (
    (
        "How many shortcuts by split and level",
        "SELECT split, level, count(*) AS shortcuts\nFROM shortcuts\nGROUP BY ALL ORDER BY ALL",
    ),
    (
        "Checks that drop most texts",
        'SELECT "check", reason, count(*) AS texts\nFROM verdicts WHERE NOT kept\nGROUP BY ALL',
    ),
    (
        "Texts beside their shortcuts",
        "SELECT name, kind, text\nFROM queries JOIN shortcuts ON shortcut_id = target_id",
    ),
)


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page for statements and the download of its results to the application."""

    def sql(request: Request) -> Response:
        text = query_parameter(request, "q")
        answer, fault, status = Answer(), "", 200
        before = time.perf_counter()
        try:
            answer = site.statements.ask(text) if text.strip() else Answer()
        except ExploreError as error:
            fault, status = str(error), error.status
        response = site.page(
            "sql.html.j2",
            request,
            "SQL",
            text=text,
            answer=answer,
            rows=[[cell_text(cell) for cell in row] for row in answer.rows],
            fault=fault,
            seconds=time.perf_counter() - before,
            most=ROWS,
            longest=MAX_SQL,
            exported=_EXPORTED,
            limit=site.statements.seconds,
            examples=_EXAMPLES,
            tables=[table for table in site.release.tables.values() if not table.fault],
        )
        response.status_code = status
        return response

    def as_csv(request: Request) -> Response:
        answer = site.statements.ask(query_parameter(request, "q"), _EXPORTED)
        content = csv_lines(answer.columns, answer.rows)
        head = {"Content-Disposition": 'attachment; filename="answer.csv"'}
        return Response(content, media_type="text/csv; charset=utf-8", headers=head)

    app.get("/sql")(sql)
    app.get("/sql.csv")(as_csv)
