"""Serve tasks over OpenEnv, for clients of openenv-core; each WebSocket is an environment.

The messages reset, step and state control an environment. An episode is an attempt at a task. Its
tools include `reply_to_user`. The step that replies to the user's last turn ends the episode, and
the response to this step contains the reward.
"""

from typing import Any

import msgspec
from fastapi import FastAPI, Response, WebSocket, WebSocketDisconnect

import benchloom
from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import FAULTS
from benchloom.worlds.runs.offered_tools import ENDING
from benchloom.worlds.servers.attempts import Attempt, Attempts
from benchloom.worlds.servers.protocols.base import TaskProtocol
from benchloom.worlds.servers.rest import FULL, answer
from benchloom.worlds.servers.slots import CLOSED
from benchloom.worlds.session import Outcome

_ERRORS = {"unknown_tool": "tool_not_found", "invalid_argument": "invalid_args"}
"""A mapping from kinds of refusals to error codes; other kinds become `execution_error`."""


class _Message(msgspec.Struct, frozen=True):
    type: str
    data: dict[str, Any] = {}


class _Reset(msgspec.Struct, frozen=True):
    task_id: str | None = None
    seed: int | None = None
    split: str | None = None


class _Action(msgspec.Struct, frozen=True):
    type: str = "call_tool"
    tool_name: str = ""
    arguments: dict[str, Any] = {}


class _RefusedError(Exception):
    """Raised if a message cannot be answered, with an error code of the protocol and the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class OpenEnvProtocol(TaskProtocol):
    """The protocol OpenEnv, in which the message `reset` selects a task by its id or by a seed."""

    title = "OpenEnv, for clients of openenv-core: reset, step and state"

    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes of the protocol to an application."""

        async def health() -> Response:
            """Report that the server runs."""
            return answer(200, {"status": "healthy"})

        async def metadata() -> Response:
            """Return the name, the description and the version of the environment."""
            about = f"{len(attempts.store)} tasks. {ENDING}"
            version = benchloom.__version__
            return answer(200, {"name": "benchloom", "description": about, "version": version})

        async def play(socket: WebSocket) -> None:
            await socket.accept()
            episodes = _Episodes(attempts)
            try:
                while await _answer(socket, episodes):
                    pass
            except WebSocketDisconnect:
                pass
            finally:
                episodes.close()

        app.add_api_route("/health", health, methods=["GET"], response_class=Response)
        app.add_api_route("/metadata", metadata, methods=["GET"], response_class=Response)
        app.add_api_websocket_route("/ws", play)


PROTOCOL = OpenEnvProtocol()


async def _answer(socket: WebSocket, episodes: "_Episodes") -> bool:
    text = await socket.receive_text()
    try:
        message = msgspec.json.decode(text, type=_Message)
        if message.type == "close":
            await socket.close()
            return False
        kind, data = episodes.answer(message)
    except FAULTS as error:
        kind, data = (
            "error",
            {"message": f"not a message of OpenEnv: {error}"[:400], "code": "INVALID_JSON"},
        )
    except _RefusedError as error:
        kind, data = "error", {"message": str(error), "code": error.code}
    await socket.send_text(msgspec.json.encode({"type": kind, "data": data}).decode())
    return True


class _Episodes:
    """The episodes of a client, which are attempts at tasks, one after the other."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self._attempt_id = ""
        self._resets = 0
        self._steps = 0

    def answer(self, message: _Message) -> tuple[str, dict[str, Plain]]:
        """Return the type and data of the response to a message.

        Raises:
            _RefusedError: the message is unknown, or there is no episode.
            ValidationError: the message lacks a field of its type.
        """
        if message.type == "reset":
            return "observation", self._reset(msgspec.convert(message.data, _Reset))
        if message.type == "step":
            return "observation", self._step(msgspec.convert(message.data, _Action))
        if message.type == "state":
            attempt = self._attempt()
            return "state", {
                "episode_id": self._attempt_id,
                "step_count": self._steps,
                "task_id": attempt.task.task_id,
            }
        raise _RefusedError("UNKNOWN_TYPE", f"unknown type '{message.type[:100]}'")

    def close(self) -> None:
        """Close the current episode."""
        self._attempts.close(self._attempt_id)

    def _reset(self, reset: _Reset) -> dict[str, Plain]:
        """Open an attempt at the task with the requested id, or at the task that the seed selects.

        Without a task and a seed, each reset of a client selects the next task.
        """
        self.close()
        store = self._attempts.store
        ids = [*store] if reset.split is None else store.splits.get(reset.split, ())
        if not ids:
            raise _RefusedError("VALIDATION_ERROR", f"no task is in the split '{reset.split}'")
        index = self._resets if reset.seed is None else reset.seed
        self._resets += 1
        try:
            attempt = self._attempts.open(reset.task_id or ids[index % len(ids)], replies="always")
        except RunError as error:
            raise _RefusedError("VALIDATION_ERROR", str(error)) from error
        if attempt is None:
            raise _RefusedError("CAPACITY_REACHED", FULL)
        self._attempt_id, self._steps = attempt.attempt_id, 0
        task: dict[str, Plain] = {
            "task_id": attempt.task.task_id,
            "now": attempt.offer.world.now,
            "instructions": attempt.task.instructions(attempt.offer.world.now),
            "user": attempt.task.turns[0],
            "split": attempt.task.split,
        }
        return _observation_reply({**task, "metadata": task}, attempt)

    def _step(self, action: _Action) -> dict[str, Plain]:
        attempt = self._attempt()
        if action.type == "list_tools":
            tools: list[Plain] = [
                tool.described("input_schema") for tool in attempt.offer.tools.values()
            ]
            return _observation_reply({"tools": tools}, attempt)
        if action.type != "call_tool":
            raise _RefusedError(
                "VALIDATION_ERROR", "the action type must be call_tool or list_tools"
            )
        self._steps += 1
        outcome = self._attempts.call(attempt, action.tool_name, action.arguments)
        return _observation_reply(_call_result(action.tool_name, outcome), attempt)

    def _attempt(self) -> Attempt:
        attempt = self._attempts.find(self._attempt_id)
        if attempt is None:
            raise _RefusedError("SESSION_ERROR", f"no episode; begin with reset: {CLOSED}")
        return attempt


def _call_result(name: str, outcome: Outcome) -> dict[str, Plain]:
    error: Plain = None
    if outcome.refused is not None:
        error = {
            "error_type": _ERRORS.get(outcome.refused, "execution_error"),
            "message": f"{outcome.refused}: {outcome.message}",
        }
    return {"tool_name": name, "result": {"data": outcome.result}, "error": error}


def _observation_reply(observation: dict[str, Plain], attempt: Attempt) -> dict[str, Plain]:
    return {
        "observation": observation,
        "reward": float(attempt.score().solved) if attempt.is_over else None,
        "done": attempt.is_over,
    }
