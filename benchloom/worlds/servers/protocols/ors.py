"""Serve tasks over the Open Reward Standard, for clients of ors-sdk.

A session, which a header identifies, is an attempt at a task. A call of a tool returns server-sent
events. The tools include `reply_to_user`. The reply to the user's last turn finishes the session,
and the result of this call contains the reward.
"""

import json
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.runs.offered_tools import ENDING
from benchloom.worlds.servers.attempts import Attempt, Attempts
from benchloom.worlds.servers.protocols.base import TaskProtocol, read_body
from benchloom.worlds.servers.rest import FULL, RefusedRequestError, answer, refused
from benchloom.worlds.servers.slots import CLOSED

ENVIRONMENT = "benchloom"
"""The name of the only environment; the task and the tools depend on the session."""
SESSION_HEADER = "x-session-id"
_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{16,128}")
_SPLITS = ("train", "validation", "test")
_WITHOUT_SPLIT = "all"
_PIECE = 4096
"""The maximum length of an event in characters, because clients reject long lines."""


class _Chosen(msgspec.Struct, frozen=True):
    split: str
    index: int = 0
    start: int | None = None
    stop: int | None = None


class _TaskSpec(msgspec.Struct, frozen=True):
    task_id: str


class _Creation(msgspec.Struct, frozen=True):
    task_spec: _TaskSpec | None = None
    split: str = ""
    index: int = 0


class _Call(msgspec.Struct, frozen=True):
    name: str
    input: dict[str, Any]
    task_id: str | None = None


class OrsProtocol(TaskProtocol):
    """The protocol Open Reward Standard, with one environment that lists its tasks by split."""

    title = "The Open Reward Standard, for clients of ors-sdk; the environment is benchloom"

    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes of the protocol to an application."""
        routes = _Routes(attempts)
        about = f"/{ENVIRONMENT}"
        for path, function, method in (
            ("/health", routes.health, "GET"),
            ("/list_environments", routes.environments, "GET"),
            ("/create_session", routes.create_session, "POST"),
            ("/delete_session", routes.ended, "POST"),
            ("/create", routes.create, "POST"),
            ("/delete", routes.delete, "POST"),
            ("/ping", routes.ping, "POST"),
            (f"{about}/splits", routes.splits, "GET"),
            (f"{about}/tasks", routes.tasks, "POST"),
            (f"{about}/num_tasks", routes.count, "POST"),
            (f"{about}/task", routes.task, "POST"),
            (f"{about}/task_range", routes.task_range, "POST"),
            (f"{about}/tools", routes.no_tools, "GET"),
            (f"{about}/task_tools", routes.tools, "GET"),
            (f"{about}/prompt", routes.prompt, "GET"),
            (f"{about}/call", routes.call, "POST"),
        ):
            app.add_api_route(path, function, methods=[method], response_class=Response)


PROTOCOL = OrsProtocol()


class _Routes:
    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self._ids = {name or _WITHOUT_SPLIT: ids for name, ids in attempts.store.splits.items()}
        # The last result of an attempt, for a client that lost its connection.
        self._results: WeakKeyDictionary[Attempt, tuple[str, str]] = WeakKeyDictionary()

    async def health(self) -> Response:
        """Report that the server runs."""
        return answer(200, {"status": "ok"})

    async def environments(self) -> Response:
        """List the names of environments."""
        return answer(200, [ENVIRONMENT])

    async def create_session(self) -> Response:
        """Return a new session id, with which the client then opens the session by `/create`."""
        return _events([("task_id", secrets.token_hex(16)), ("end", "")])

    async def ended(self, request: Request) -> Response:
        """Acknowledge the end of a session, which the client then closes by `/delete`."""
        return answer(200, {"sid": _session_of(request)})

    async def create(self, request: Request) -> Response:
        """Open an attempt at a task, selected by its spec or by its index in a split."""
        session, creation = _session_of(request), await read_body(request, _Creation)
        if not _SESSION_ID.fullmatch(session) or self._attempts.find(session) is not None:
            return refused(400, "invalid_argument", "begin with a new id of /create_session")
        try:
            task_id = (
                self._ids.get(creation.split, ())[creation.index]
                if creation.task_spec is None
                else creation.task_spec.task_id
            )
            attempt = self._attempts.open(task_id, replies="always", attempt_id=session)
        except (RunError, IndexError) as error:
            return refused(400, "not_found", f"no such task: {error}")
        if attempt is None:
            return refused(503, "unavailable", FULL)
        return answer(200, {"sid": session})

    async def delete(self, request: Request) -> Response:
        """Close the attempt of a session."""
        self._attempts.close(_session_of(request))
        return answer(200, {"sid": _session_of(request)})

    async def ping(self, request: Request) -> Response:
        """Count the request as a use of its session, so that the session is not closed as idle."""
        self._attempt(request)
        return answer(200, {"status": "ok"})

    async def splits(self) -> Response:
        """List the splits that have tasks; splits with other names have the type `train`."""
        return answer(
            200,
            [{"name": name, "type": name if name in _SPLITS else "train"} for name in self._ids],
        )

    async def tasks(self, request: Request) -> Response:
        """List the tasks of a split."""
        query = await self._chosen(request)
        return answer(200, {"tasks": _specs(self._ids[query.split]), "env_name": ENVIRONMENT})

    async def count(self, request: Request) -> Response:
        """Count the tasks of a split."""
        query = await self._chosen(request)
        return answer(200, {"num_tasks": len(self._ids[query.split])})

    async def task(self, request: Request) -> Response:
        """Return the task at an index of a split."""
        query = await self._chosen(request)
        try:
            (spec,) = _specs([self._ids[query.split][query.index]])
        except IndexError:
            return refused(400, "not_found", "no task has this index")
        return answer(200, {"task": spec})

    async def task_range(self, request: Request) -> Response:
        """Return the tasks of a split from the index `start` to before the index `stop`."""
        query = await self._chosen(request)
        return answer(200, {"tasks": _specs(self._ids[query.split][query.start : query.stop])})

    async def no_tools(self) -> Response:
        """Return no tools, because all tools depend on the task; `/task_tools` lists them."""
        return answer(200, {"tools": []})

    async def tools(self, request: Request) -> Response:
        """List the tools of the session's task."""
        tools = self._attempt(request).offer.tools.values()
        return answer(200, {"tools": [tool.described("input_schema") for tool in tools]})

    async def prompt(self, request: Request) -> Response:
        """Return the agent's instructions, with the current time, and the user's first turn."""
        attempt = self._attempt(request)
        instructions = attempt.task.instructions(attempt.offer.world.now)
        text = f"{instructions}\n\n{ENDING}\n\n{attempt.task.turns[0]}"
        return answer(200, [{"text": text, "detail": None, "type": "text"}])

    async def call(self, request: Request) -> Response:
        """Call a tool; a request that repeats the id of the last call gets the earlier result."""
        with self._attempts.in_use(_session_of(request)):
            call = await read_body(request, _Call)
        attempt = self._attempt(request)
        call_id, result = self._results.get(attempt, ("", ""))
        if call.task_id is None:
            call_id, result = secrets.token_hex(16), self._result(attempt, call)
            self._results[attempt] = call_id, result
        elif call.task_id != call_id:
            return _events([("error", "unknown task_id")])
        return _events([("task_id", call_id), *_pieces(result)])

    def _result(self, attempt: Attempt, call: _Call) -> str:
        outcome = self._attempts.call(attempt, call.name, call.input)
        output: dict[str, Plain]
        if outcome.refused is not None:
            output = {"ok": False, "error": f"{outcome.refused}: {outcome.message}"}
        else:
            text = msgspec.json.encode(outcome.result).decode()
            reward = float(attempt.score().solved) if attempt.is_over else None
            output = {
                "ok": True,
                "output": {
                    "blocks": [{"text": text, "detail": None, "type": "text"}],
                    "metadata": None,
                    "reward": reward,
                    "finished": attempt.is_over,
                },
            }
        return json.dumps(output, separators=(",", ":"))

    def _attempt(self, request: Request) -> Attempt:
        attempt = self._attempts.find(_session_of(request))
        if attempt is None:
            raise RefusedRequestError(404, "unavailable", f"no such session: {CLOSED}")
        return attempt

    async def _chosen(self, request: Request) -> _Chosen:
        query = await read_body(request, _Chosen)
        if query.split not in self._ids:
            message = f"unknown split; the splits are {', '.join(self._ids)}"
            raise RefusedRequestError(400, "not_found", message)
        return query


def _session_of(request: Request) -> str:
    return request.headers.get(SESSION_HEADER, "").strip()


def _specs(task_ids: Sequence[str]) -> list[Plain]:
    return [{"task_id": task_id} for task_id in task_ids]


def _pieces(text: str) -> list[tuple[str, str]]:
    """Split ASCII JSON into events.

    No event begins with a space, because clients strip leading spaces.
    """
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    pieces = [f"\\u0020{piece[1:]}" if piece.startswith(" ") else piece for piece in pieces]
    return [*(("chunk", piece) for piece in pieces[:-1]), ("end", pieces[-1])]


def _events(events: list[tuple[str, str]]) -> Response:
    async def lines() -> AsyncIterator[str]:
        for event, data in events:
            yield f"event: {event}\r\ndata: {data}\r\n\r\n"

    return StreamingResponse(
        lines(), media_type="text/event-stream", headers={"Cache-Control": "no-cache"}
    )
