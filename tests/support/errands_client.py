"""A test client of a server whose tasks are the errands and that allows three open attempts."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from fastapi import FastAPI
from fastapi.testclient import TestClient

from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.attempts import Attempts
from benchloom.worlds.servers.protocols import TASK_PROTOCOLS
from benchloom.worlds.servers.protocols.base import tasks_app
from tests.support.samples.errands import errands


@contextmanager
def errands_client(protocol_name: str = "attempts") -> Iterator[TestClient]:
    """Yield a client of the server; its attempts are closed at the end."""
    attempts = Attempts(TaskStore(errands()), most=3)
    protocol = TASK_PROTOCOLS.find(protocol_name)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield
        attempts.close_all()

    with TestClient(tasks_app(protocol, attempts, lifespan)) as test_client:
        yield test_client
