"""Serve attempts at tasks over plain HTTP: open, call tools, talk to the user, get a score."""

from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import decode_arguments
from benchloom.worlds.runs.scoring import Score
from benchloom.worlds.servers.attempts import Attempt, Attempts
from benchloom.worlds.servers.protocols.base import MCP_FOLDER, TaskProtocol, read_body
from benchloom.worlds.servers.rest import (
    FULL,
    RefusedRequestError,
    answer,
    outcome_response,
    refused,
)
from benchloom.worlds.servers.slots import CLOSED
from benchloom.worlds.tool import Schema, schema_of

_PAGE = 100


class _Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    task: str
    distractors: int | None = None


class _Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str = ""
    aside: bool = False


_BODIES: dict[str, type[msgspec.Struct]] = {"open": _Opening, "say": _Saying}


class AttemptsProtocol(TaskProtocol):
    """Plain HTTP routes for attempts at tasks; the route that ends an attempt returns its score."""

    title = "Attempts over HTTP, with an OpenAPI document, and their tools over MCP"
    path = "/attempts"

    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes of the protocol to an application."""
        routes = _Routes(attempts)
        attempt_path = "/attempts/{attempt}"
        for path, function, method in (
            ("/tasks", routes.tasks, "GET"),
            ("/attempts", routes.open, "POST"),
            (attempt_path, routes.look, "GET"),
            (attempt_path, routes.give_up, "DELETE"),
            (f"{attempt_path}/calls/{{tool:path}}", routes.call, "POST"),
            (f"{attempt_path}/messages", routes.say, "POST"),
            (f"{attempt_path}/end", routes.end, "POST"),
        ):
            app.add_api_route(
                path,
                function,
                methods=[method],
                operation_id=function.__name__,
                response_class=Response,
                openapi_extra=_describe(path, function.__name__),
            )


PROTOCOL = AttemptsProtocol()


class _Routes:
    def __init__(self, attempts: Attempts) -> None:
        self._store = attempts.store
        self._attempts = attempts

    async def tasks(self, request: Request) -> Response:
        """List the ids of tasks, a hundred at a time, starting at `offset`."""
        offset_text = request.query_params.get("offset", "0")
        offset = int(offset_text) if offset_text.isdecimal() and len(offset_text) < 10 else 0
        page: list[Plain] = [*self._store][offset : offset + _PAGE]
        return answer(200, {"tasks": page, "count": len(self._store)})

    async def open(self, request: Request) -> Response:
        """Open an attempt at a task; return its tools and the user's first turn."""
        opening = await read_body(request, _Opening)
        try:
            attempt = self._attempts.open(opening.task, distractors=opening.distractors)
        except RunError as error:
            return refused(404, "not_found", str(error))
        if attempt is None:
            return refused(503, "unavailable", FULL)
        task = attempt.task
        address = str(request.base_url).rstrip("/")
        return answer(
            201,
            {
                "attempt": attempt.attempt_id,
                "task": task.task_id,
                "now": attempt.offer.world.now,
                "instructions": task.instructions(attempt.offer.world.now),
                "user": task.turns[0],
                "tools": [
                    {"type": "function", "function": tool.described()}
                    for tool in attempt.offer.tools.values()
                ],
                "mcp": f"{address}{MCP_FOLDER}{attempt.agent_key}",
            },
        )

    async def look(self, request: Request) -> Response:
        """Return the state of an attempt: its calls and turns so far, and the digest."""
        attempt = self._attempt(request)
        return answer(
            200,
            {
                "task": attempt.task.task_id,
                "calls": attempt.calls,
                "turns": attempt.turn + (not attempt.is_over),
                "over": attempt.is_over,
                "digest": attempt.digest(),
            },
        )

    async def give_up(self, request: Request) -> Response:
        """End an attempt without scoring it."""
        if not self._attempts.close(request.path_params["attempt"]):
            raise _unknown()
        return Response(status_code=204)

    async def call(self, request: Request) -> Response:
        """Call a tool; a refused call changes nothing, but it counts as a call."""
        with self._attempts.in_use(request.path_params["attempt"]):
            body = await request.body()
        attempt, arguments = self._attempt(request), decode_arguments(body or b"{}")
        return outcome_response(
            self._attempts.call(attempt, request.path_params["tool"], arguments)
        )

    async def say(self, request: Request) -> Response:
        """Send a message to the user; return the user's next turn, or null at the end."""
        with self._attempts.in_use(request.path_params["attempt"]):
            message = await read_body(request, _Saying)
        attempt = self._attempt(request)
        try:
            turn = attempt.say(message.text, aside=message.aside)
        except ValueError as error:
            return refused(409, "unavailable", str(error))
        return answer(200, {"user": None if message.aside else turn, "over": attempt.is_over})

    async def end(self, request: Request) -> Response:
        """End an attempt and return its score; repeated requests get the same score."""
        task_score = self._attempts.end(request.path_params["attempt"])
        if task_score is None:
            raise _unknown()
        return answer(200, _score_reply(*task_score))

    def _attempt(self, request: Request) -> Attempt:
        attempt = self._attempts.find(request.path_params["attempt"])
        if attempt is None:
            raise _unknown()
        return attempt


def _score_reply(task: str, score: Score) -> dict[str, Plain]:
    return {
        "task": task,
        "reward": float(score.solved),
        "solved": score.solved,
        "digest": score.digest,
        "answer": score.answer if score.asked else None,
        "collateral": [[table, key] for table, key in score.collateral],
        "recovered": score.solved if score.refused else None,
        "calls": score.calls,
        "refused": score.refused,
    }


def _unknown() -> RefusedRequestError:
    return RefusedRequestError(404, "unavailable", f"no such attempt: {CLOSED}")


def _describe(path: str, name: str) -> dict[str, Any]:
    words = [word[1:-1].partition(":")[0] for word in path.split("/") if word.startswith("{")]
    text = {"type": "string"}
    description: dict[str, Any] = {
        "parameters": [
            {"name": parameter, "in": "path", "required": True, "schema": text}
            for parameter in words
        ]
    }
    if name == "tasks":
        whole = {"type": "integer", "minimum": 0}
        description["parameters"].append({"name": "offset", "in": "query", "schema": whole})
    kind = _BODIES.get(name)
    if kind is not None or name == "call":
        schema: Schema = {"type": "object"} if kind is None else schema_of(kind)
        description["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return description
