"""Base classes of the protocols in which clients play tasks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response

import benchloom
from benchloom.core.records.values import Plain
from benchloom.worlds.serving.attempts import Attempts
from benchloom.worlds.serving.rest import Lifespan, refused
from benchloom.worlds.task import Task

MCP_FOLDER = "/agents/"
"""The path of an agent's tools over MCP, followed by the agent's key; equal in every protocol."""
FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Exceptions that the decoding of a body can raise."""
T = TypeVar("T")
Message: TypeAlias = Mapping[str, Any]


class TaskProtocol(ABC):
    """A protocol for playing tasks; `title` names its clients in one line."""

    title: ClassVar[str]


class ServedProtocol(TaskProtocol):
    """A protocol over HTTP: routes that open, call, message, score and close `Attempts`."""

    path: ClassVar[str] = ""
    """The first path that a client requests, relative to the server's address."""

    @abstractmethod
    def add_to(self, app: FastAPI, attempts: Attempts) -> None:
        """Add the routes of the protocol to an application."""


class Environments(Protocol):
    """Rows, environment classes and a reward, for a trainer in the same process."""

    environment: type[Any]
    environments: Mapping[str, type[Any]]

    def rows(self) -> list[dict[str, Plain]]:
        """Return a row per task."""

    def reward(
        self,
        environments: Sequence[Any],
        completions: Sequence[Sequence[Message]],
        **columns: object,
    ) -> list[float]:
        """Return the reward of each environment."""


class LibraryProtocol(TaskProtocol):
    """A protocol of Python objects, for a trainer in the same process."""

    @abstractmethod
    def environments(self, tasks: Iterable[Task]) -> Environments:
        """Return the arguments of the trainer.

        Raises:
            RunError: there are no tasks, or the trainer cannot use them together.
        """


def tasks_app(
    protocol: ServedProtocol, attempts: Attempts, lifespan: Lifespan | None = None
) -> FastAPI:
    """Build the application that serves attempts in a protocol."""
    app = FastAPI(
        title="benchloom tasks",
        version=benchloom.__version__,
        description=protocol.title,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    protocol.add_to(app, attempts)
    return app


async def read_body(request: Request, kind: type[T]) -> T | Response:
    """Decode the JSON body of a request; return an error response if its type is wrong."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except FAULTS as error:
        return refused(400, "invalid_argument", f"not a valid request: {error}"[:400])
