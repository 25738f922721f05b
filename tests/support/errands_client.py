"""A client of the server of attempts, whose tasks are the errands; three attempts may be open."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from fastapi import FastAPI
from fastapi.testclient import TestClient

from benchloom.worlds.runs.shelf import Shelf
from benchloom.worlds.serving.attempt_routes import attempts_app
from benchloom.worlds.serving.attempts import Attempts
from tests.support.samples.errands import errands


@contextmanager
def errands_client() -> Iterator[TestClient]:
    """Open a client; its attempts are closed at the end."""
    attempts = Attempts(most=3)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield
        attempts.close_all()

    with TestClient(attempts_app(Shelf(errands()), attempts, lifespan)) as test_client:
        yield test_client
