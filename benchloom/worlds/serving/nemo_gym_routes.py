"""The routes that rows of NeMo Gym need: open a session, call its tools, verify what was done.

A cookie carries the session; its tools are also behind an MCP address that only it knows.
"""

from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import told_refusal
from benchloom.worlds.runs.offering import offer_of_task
from benchloom.worlds.runs.replies import with_replies
from benchloom.worlds.runs.scoring import Score
from benchloom.worlds.runs.shelf import Shelf
from benchloom.worlds.serving.attempts import Attempts
from benchloom.worlds.serving.rest import FULL, answer, refused
from benchloom.worlds.serving.rooms import CLOSED

COOKIE = "benchloom_attempt"
_ROW = msgspec.json.Decoder(dict[str, Any])
"""A whole row of any columns: the trainer wants back all of them, beside the score."""
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Part(msgspec.Struct, frozen=True):
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    """One output of a model; everything but its messages has been acted upon by calls."""

    type: str = "message"
    content: tuple[_Part, ...] | str | None = None

    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or ())


class _Reply(msgspec.Struct, frozen=True):
    output: tuple[_Message, ...] = ()


def add_nemo_gym(app: FastAPI, shelf: Shelf, attempts: Attempts, mcp_folder: str) -> None:
    """Add the routes to an application; add them last, as any other path is a tool's name."""
    routes = _Routes(shelf, attempts, mcp_folder)
    for path, function in (
        ("/seed_session", routes.seed_session),
        ("/verify", routes.verify),
        ("/{tool}", routes.call_tool),
    ):
        app.add_api_route(path, function, methods=["POST"], include_in_schema=False)


class _Routes:
    def __init__(self, shelf: Shelf, attempts: Attempts, mcp_folder: str) -> None:
        self._shelf = shelf
        self._attempts = attempts
        self._mcp_folder = mcp_folder

    async def seed_session(self, request: Request) -> Response:
        """Open an attempt at the task of a row."""
        row = await _row(request)
        if isinstance(row, Response):
            return row
        try:
            task = self._shelf.find(str(row.get("task_id", "")))
            offer = with_replies(offer_of_task(task))
        except RunError as error:
            return refused(404, "not_found", str(error))
        if not self._attempts.make_room():
            return refused(503, "unavailable", FULL)
        attempt = self._attempts.open(offer, task)
        mcp: dict[str, Plain] = {
            "server_name": "benchloom",
            "url_path": f"{self._mcp_folder}{attempt.door}",
            "transport": "http",
            "headers": {},
        }
        response = answer(200, {"mcp": mcp})
        response.set_cookie(COOKIE, attempt.ident, httponly=True, samesite="strict")
        return response

    async def call_tool(self, request: Request) -> Response:
        """Call a tool; a refused call changes nothing, but counts."""
        attempt_id = request.cookies.get(COOKIE, "")
        with self._attempts.in_use(attempt_id):
            body = await request.body()
        attempt = self._attempts.find(attempt_id)
        if attempt is None:
            return _unknown()
        try:
            arguments: dict[str, Plain] | None = _ROW.decode(body or b"{}")
        except _FAULTS:
            arguments = None
        outcome = self._attempts.call(attempt, request.path_params["tool"], arguments)
        if outcome.refused is not None:
            return answer(409, told_refusal(outcome))
        return Response(msgspec.json.encode(outcome.result), media_type="application/json")

    async def verify(self, request: Request) -> Response:
        """End the attempt and return the row with its score; repeated requests get the same."""
        attempt_id = request.cookies.get(COOKIE, "")
        with self._attempts.in_use(attempt_id):
            row = await _row(request)
        if isinstance(row, Response):
            return row
        try:
            reply = msgspec.convert(row.get("response"), _Reply)
        except (msgspec.ValidationError, RecursionError) as error:
            return refused(400, "invalid_argument", f"no response of a model: {error}"[:400])
        attempt = self._attempts.find(attempt_id)
        if attempt is not None and attempt.task.task_id == row.get("task_id"):
            attempt.say_all([each.text() for each in reply.output if each.type == "message"])
        elif attempt is not None:
            fault = f"this session is about the task {attempt.task.task_id}"
            return refused(409, "invalid_argument", fault)
        task_score = self._attempts.end(attempt_id)
        if task_score is None:
            return _unknown()
        _, score = task_score
        return answer(200, row | _scored(score))


def _scored(score: Score) -> dict[str, Plain]:
    return {
        "reward": float(score.solved),
        "right_state": score.digest,
        "right_answer": score.answer,
        "collateral_rows": len(score.collateral),
        "calls": score.calls,
        "refused_calls": score.refused,
    }


async def _row(request: Request) -> dict[str, Any] | Response:
    try:
        return _ROW.decode(await request.body())
    except _FAULTS as error:
        return refused(400, "invalid_argument", f"no row of NeMo Gym: {error}"[:400])


def _unknown() -> Response:
    return refused(404, "unavailable", f"no session, begin with /seed_session: {CLOSED}")
