"""Serve tasks to NeMo Gym, which opens a session, calls tools, and asks for the score.

Each session belongs to a row of the exported tasks. A cookie contains the id of the session. The
tools of the session are also available over MCP, at an address with a secret key.
"""

from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import decode_arguments
from benchloom.worlds.runs.scoring import Score
from benchloom.worlds.servers.attempts import Attempts
from benchloom.worlds.servers.protocols.base import MCP_FOLDER, TaskProtocol, read_body
from benchloom.worlds.servers.rest import (
    FULL,
    RefusedRequestError,
    answer,
    outcome_response,
    refused,
)
from benchloom.worlds.servers.slots import CLOSED

COOKIE = "benchloom_attempt"
_Row = dict[str, Any]
"""A row with any columns; the trainer expects all of them back, together with the score."""


class _Part(msgspec.Struct, frozen=True):
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    """An output of a model, which is a message or a call that was already executed."""

    type: str = "message"
    content: tuple[_Part, ...] | str | None = None

    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or ())


class _Reply(msgspec.Struct, frozen=True):
    output: tuple[_Message, ...] = ()


class NemoGymProtocol(TaskProtocol):
    """A server for the rows that `release export --format nemo-gym` writes."""

    title = "Rows of NeMo Gym, for nemo_gym and verifiers (NeMoGymTaskset)"

    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes to an application; the route for tools is last, as it matches any path."""
        routes = _Routes(attempts)
        for path, function in (
            ("/seed_session", routes.seed_session),
            ("/verify", routes.verify),
            ("/{tool}", routes.call_tool),
        ):
            app.add_api_route(path, function, methods=["POST"], include_in_schema=False)


PROTOCOL = NemoGymProtocol()


class _Routes:
    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts

    async def seed_session(self, request: Request) -> Response:
        """Start a session for the task of a NeMo Gym row; return the MCP address of its tools."""
        row = await read_body(request, _Row)
        try:
            attempt = self._attempts.open(str(row.get("task_id", "")), replies="turns")
        except RunError as error:
            return refused(404, "not_found", str(error))
        if attempt is None:
            return refused(503, "unavailable", FULL)
        mcp: dict[str, Plain] = {
            "server_name": "benchloom",
            "url_path": f"{MCP_FOLDER}{attempt.agent_key}",
            "transport": "http",
            "headers": {},
        }
        return _with_cookie(answer(200, {"mcp": mcp}), attempt.attempt_id)

    async def call_tool(self, request: Request) -> Response:
        """Call a tool; a refused call changes nothing, but it counts as a call."""
        attempt_id = request.cookies.get(COOKIE, "")
        with self._attempts.in_use(attempt_id):
            body = await request.body()
        attempt = self._attempts.find(attempt_id)
        if attempt is None:
            raise _unknown()
        arguments = decode_arguments(body or b"{}")
        outcome = self._attempts.call(attempt, request.path_params["tool"], arguments)
        response = outcome_response(outcome) if outcome.refused else answer(200, outcome.result)
        return _with_cookie(response, attempt_id)

    async def verify(self, request: Request) -> Response:
        """End the attempt and return the row with its score; repeated requests get the same row."""
        attempt_id = request.cookies.get(COOKIE, "")
        with self._attempts.in_use(attempt_id):
            row = await read_body(request, _Row)
        try:
            reply = msgspec.convert(row.get("response"), _Reply)
        except (msgspec.ValidationError, RecursionError) as error:
            return refused(
                400,
                "invalid_argument",
                f"the field 'response' is not a model response: {error}"[:400],
            )
        attempt = self._attempts.find(attempt_id)
        if attempt is not None and attempt.task.task_id == row.get("task_id"):
            attempt.say_all([output.text() for output in reply.output if output.type == "message"])
        elif attempt is not None:
            fault = f"this session belongs to another task, {attempt.task.task_id}"
            return refused(409, "invalid_argument", fault)
        task_score = self._attempts.end(attempt_id)
        if task_score is None:
            raise _unknown()
        _, score = task_score
        return answer(200, row | _score_reply(score))


def _score_reply(score: Score) -> dict[str, Plain]:
    return {
        "reward": float(score.solved),
        "right_state": score.digest,
        "right_answer": score.answer,
        "collateral_rows": len(score.collateral),
        "calls": score.calls,
        "refused_calls": score.refused,
    }


def _with_cookie(response: Response, attempt_id: str) -> Response:
    """Set the session's cookie on each response, because nemo_gym sends only the latest cookies."""
    response.set_cookie(COOKIE, attempt_id, httponly=True, samesite="strict")
    return response


def _unknown() -> RefusedRequestError:
    message = f"no session; begin with /seed_session: {CLOSED}"
    return RefusedRequestError(404, "unavailable", message)
