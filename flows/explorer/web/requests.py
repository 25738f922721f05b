"""Serve the page of requests, each beside its steps; a release with texts begins with this page."""

import shlex
from collections import Counter

from fastapi import FastAPI, Request, Response

from benchloom.core.records import Query
from benchloom.core.records.texts import REQUEST_KINDS
from flows.explorer.database import select
from flows.explorer.open_release import typed
from flows.explorer.related_rows import rows_where
from flows.explorer.selection import page_number
from flows.explorer.views.requests import SUBJECTS, RequestView, Subject, subjects_of
from flows.explorer.web.site import REQUESTS, Site, query_parameter

ROWS = 20
_IS_REQUEST = f"kind IN {tuple(sorted(REQUEST_KINDS))}"
"""SQL condition for texts that are requests. A release without requests shows all its texts."""
_NO_SPLIT = "none"


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page of requests to the application, as the first page of a release with texts."""
    release = site.release
    if not release.has("queries"):
        return

    @app.get("/")
    @app.get(REQUESTS)
    def requests(request: Request) -> Response:
        is_dropped = query_parameter(request, "dropped") == "1"
        splits = _splits(site, dropped=is_dropped)
        split = query_parameter(request, "split")
        split = split if split in splits else ""
        page = page_number(query_parameter(request, "page"))
        condition, values = _condition(site, split, dropped=is_dropped)
        order = "ORDER BY generator = 'template', query_id LIMIT ? OFFSET ?"
        rows = release.ask(
            select("*", "queries", condition, order), [*values, ROWS, (page - 1) * ROWS]
        )
        queries = typed(rows, Query, "queries")
        subjects = _subjects(site, [query.target_id for query in queries])
        total = splits[split] if split else sum(splits.values())
        return site.page(
            "requests.html.j2",
            request,
            "Requests",
            requests=[RequestView(query, subjects.get(query.target_id)) for query in queries],
            total=total,
            page=page,
            pages=max(1, -(-total // ROWS)),
            splits=splits,
            split=split,
            dropped=is_dropped,
            path=REQUESTS,
            command=_export_command(site, split),
        )


def _export_command(site: Site, split: str) -> str:
    words = ["benchloom", "release", "export", str(site.release.folder), "--format", "trl"]
    words += ["--split", split] if split not in {"", _NO_SPLIT} else []
    return shlex.join([*words, "--out", "rows"])


def _condition(site: Site, split: str, *, dropped: bool) -> tuple[str, list[object]]:
    has_requests = site.release.ask(select("1", "queries", _IS_REQUEST, "LIMIT 1"))
    parts = [_IS_REQUEST if has_requests else "true", "kept = ?"]
    values: list[object] = [not dropped]
    if split == _NO_SPLIT:
        parts.append("split IS NULL")
    elif split:
        parts.append("split = ?")
        values.append(split)
    return " AND ".join(parts), values


def _splits(site: Site, *, dropped: bool) -> Counter[str]:
    condition, values = _condition(site, "", dropped=dropped)
    order = "GROUP BY split ORDER BY split = 'train' DESC, split NULLS LAST"
    statement = select("split, count(*) AS n", "queries", condition, order)
    rows = site.release.ask(statement, values)
    return Counter({row["split"] or _NO_SPLIT: row["n"] for row in rows})


def _subjects(site: Site, targets: list[str]) -> dict[str, Subject]:
    subjects: dict[str, Subject] = {}
    for table, (column, _, _) in SUBJECTS.items():
        subjects |= subjects_of(table, rows_where(site.release, table, column, targets))
    return subjects
