"""The base class of the protocols through which clients attempt tasks."""

from abc import ABC, abstractmethod
from typing import ClassVar, TypeVar

import msgspec
from fastapi import FastAPI, Request

from benchloom.worlds.offers import FAULTS
from benchloom.worlds.servers.attempts import Attempts
from benchloom.worlds.servers.rest import Lifespan, RefusedRequestError, application_of

MCP_FOLDER = "/agents/"
"""The path of an agent's tools over MCP in every protocol; the key of the agent follows it."""
T = TypeVar("T")


class TaskProtocol(ABC):
    """A set of HTTP routes with which an agent's framework runs attempts at tasks.

    The routes open an attempt, call tools, send messages, ask for the score, and close it.
    """

    title: ClassVar[str]
    """A line that names the clients of the protocol."""
    path: ClassVar[str] = ""
    """The first path that a client requests, relative to the server's address."""

    @abstractmethod
    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes of the protocol to an application."""


def tasks_app(
    protocol: TaskProtocol, attempts: Attempts, lifespan: Lifespan | None = None
) -> FastAPI:
    """Build the web application through which agents attempt tasks in a protocol."""
    app = application_of("benchloom tasks", protocol.title, lifespan)
    protocol.add_to(app, attempts)
    return app


async def read_body(request: Request, kind: type[T]) -> T:
    """Decode the JSON body of a request.

    Raises:
        RefusedRequestError: the body is not JSON of type `kind`.
    """
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except FAULTS as error:
        message = f"not a valid request: {error}"[:400]
        raise RefusedRequestError(400, "invalid_argument", message) from error
