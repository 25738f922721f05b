"""Serve a queue of texts, each of which a reviewer accepts, rejects or rewords."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from benchloom.core.errors import RunError
from benchloom.core.records import Query
from benchloom.release.review import REASONS, Answer, AnswerLog, in_force, text_digest
from flows.explorer.errors import AbsentError, BadRequestError
from flows.explorer.open_release import OpenRelease
from flows.explorer.related_rows import definitions_of, records_where, rows_where
from flows.explorer.views.plans import plan_view
from flows.explorer.views.shortcuts import read_shortcut, shortcut_view
from flows.explorer.web.site import Site, query_parameter

REVIEW = "/review"
_MAX_BYTES = 64 * 1024
"""Maximum number of bytes of a form. A text has at most 8,000 characters."""
_MAX_FIELDS = 20


class Review:
    """The ids of the texts that one reviewer reviews, in order, and the log of the answers."""

    def __init__(self, log: AnswerLog, queries: list[str]) -> None:
        self.log = log
        self.queries = queries

    def answered(self) -> dict[str, Answer]:
        """Return a mapping from the id of each answered text to the latest answer."""
        query_ids = set(self.queries)
        current_answers = in_force(self.log.answers)
        return {
            query_id: answer
            for query_id, answer in current_answers.items()
            if query_id in query_ids
        }

    def next(self) -> str | None:
        """Return the id of the first text without an answer.

        Returns None if every text has an answer.
        """
        done = self.answered()
        return next((query_id for query_id in self.queries if query_id not in done), None)

    def after(self, query_id: str) -> str:
        """Return the id of the text to show next if the reviewer postpones this one.

        It is the next text without an answer, starting again after the last text. If every text has
        an answer, it is simply the next text.
        """
        position = self.queries.index(query_id) + 1 if query_id in self.queries else 0
        circle = [*self.queries[position:], *self.queries[:position]]
        done = self.answered()
        waiting = (text_id for text_id in circle if text_id not in done and text_id != query_id)
        return next(waiting, circle[0])


def add_to(app: FastAPI, site: Site, *, review: Review) -> None:
    """Add the review page, and the route of its form, to the application."""

    @app.get(REVIEW)
    def show(request: Request) -> Response:
        query_id = query_parameter(request, "id") or review.next()
        done = review.answered()
        values: dict[str, Any] = {
            "count": len(review.queries),
            "done": len(done),
            "accepted": sum(answer.decision == "accept" for answer in done.values()),
            "name": review.log.name,
            "last": next(reversed(done.values()), None),
            "reasons": REASONS,
        }
        if query_id is None:
            return site.page("reviewed.html.j2", request, "Review", **values)
        query = _query(site.release, query_id)
        values |= {
            "query": query,
            "answer": done.get(query_id),
            "digest": text_digest(query.text),
            "following": review.after(query_id),
        }
        return site.page(
            "review.html.j2", request, "Review", **values, **_about(site.release, query)
        )

    @app.post(REVIEW)
    async def take(request: Request) -> Response:
        answer = _answer_in(await read_form(request), review.queries)
        try:
            review.log.add(answer)
        except RunError as error:
            raise BadRequestError(str(error)) from error
        url = f"{REVIEW}?id={answer.query_id}" if answer.decision == "undo" else REVIEW
        return RedirectResponse(url, status_code=303)

    @app.get("/")
    def first(request: Request) -> Response:
        del request
        return RedirectResponse(REVIEW, status_code=303)


def _answer_in(form: Mapping[str, str], query_ids: Sequence[str]) -> Answer:
    """Return the answer in a submitted form about one of the texts of the review.

    Raises:
        AbsentError: the text does not belong to the review.
        BadRequestError: a field of the form is missing or invalid.
    """
    text_id = form.get("id", "")
    if text_id not in query_ids:
        raise AbsentError("this review does not have this text")
    decision = form.get("decision", "")
    if decision not in {"accept", "reject", "reword", "undo"}:
        raise BadRequestError("an answer is accept, reject, reword or undo")
    text = form.get("text", "").strip()
    if decision == "reword" and not text:
        raise BadRequestError("the new wording is empty; go back and write it")
    if decision == "reword":
        decision = "accept"  # and `text` replaces the displayed text
    if decision == "reject" and form.get("reason") not in REASONS:
        raise BadRequestError("a rejected text needs a reason; go back and choose one")
    return Answer(
        query_id=text_id,
        text_digest=form.get("digest", "")[:16],
        decision=decision,  # type: ignore[arg-type]  # checked above
        reason=form.get("reason", "") if decision == "reject" else "",
        text="" if decision == "undo" else text,
    )


def _query(release: OpenRelease, query_id: str) -> Query:
    queries = records_where(release, Query, "queries", "query_id", [query_id])
    if not queries:
        raise AbsentError("this release does not have this text")
    return queries[0]


def _about(release: OpenRelease, query: Query) -> dict[str, Any]:
    """Return the values with which the page shows the shortcut or plan that a text is about.

    All values are None if the text is about another row, or if the release lacks the row.
    """
    shortcut_rows = rows_where(release, "shortcuts", "shortcut_id", [query.target_id], 1)
    if shortcut_rows:
        row = read_shortcut(shortcut_rows[0])
        definitions = definitions_of(release, [action.definition_id for action in row.actions])
        return {"shortcut": shortcut_view(row, definitions), "row": row, "plan": None}
    plans = rows_where(release, "planning_paths", "path_id", [query.target_id], 1)
    plan = plan_view(plans[0]) if plans else None
    return {"shortcut": None, "plan": plan, "row": None}


async def read_form(request: Request, most_fields: int = _MAX_FIELDS) -> dict[str, str]:
    """Return the fields of a submitted form.

    Raises:
        BadRequestError: the form is larger than an answer may be, or is invalid.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MAX_BYTES:
            raise BadRequestError("the answer is too long")
    try:
        fields = parse_qsl(
            body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=most_fields
        )
    except ValueError as error:
        raise BadRequestError("the request is not a form of this page") from error
    return dict(fields)
