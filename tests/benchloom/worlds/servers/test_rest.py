"""Check that the REST interface of an offer behaves as its OpenAPI document describes."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from benchloom.worlds.offers import offer_of
from benchloom.worlds.servers.client_sessions import ClientSessions
from benchloom.worlds.servers.rest import rest_of
from tests.support.jars import JARS
from tests.support.slow_requests import status_of_slow_request


@pytest.fixture
def client() -> Iterator[TestClient]:
    sessions = ClientSessions(offer_of(JARS), most=2)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield
        sessions.close_all()

    with TestClient(rest_of(sessions, lifespan)) as test_client:
        yield test_client


def test_session_can_be_opened_called_and_closed(client: TestClient) -> None:
    creation = client.post("/sessions")
    assert creation.status_code == 201
    session_url = f"/sessions/{creation.json()['session']}"
    assert client.get(f"{session_url}/digest").json() == {"digest": creation.json()["digest"]}
    response = client.post(f"{session_url}/calls/jars__add_jar", json={"size": 3})
    assert response.status_code == 200
    jars = client.post(f"{session_url}/calls/jars__list_jars").json()["result"]
    assert response.json()["result"] in jars
    assert client.get(f"{session_url}/digest").json()["digest"] != creation.json()["digest"]
    assert client.delete(session_url).status_code == 204
    assert client.delete(session_url).status_code == 404
    assert client.get(f"{session_url}/digest").status_code == 404
    assert client.post(f"{session_url}/calls/jars__list_jars").status_code == 404


REFUSALS: list[tuple[str, bytes, int, str]] = [
    ("jars__add_jar", b'{"size": 0}', 409, "invalid_argument"),
    ("jars__add_jar", b'{"size": 1, "lid": 2}', 409, "invalid_argument"),
    ("jars__add_jar", b"[" * 100_000, 400, "invalid_argument"),
    ("jars__add_jar", b"[]", 400, "invalid_argument"),
    ("jars__add_jar", b"\xff", 400, "invalid_argument"),
    ("jars__put_plum", b'{"plum_id": "stone", "jar_id": "a"}', 409, "unavailable"),
    ("jars__put_plum", b'{"plum_id": "p", "jar_id": "b"}', 409, "conflict"),
    ("jars__put_plum", b'{"plum_id": "p", "jar_id": "\\ud800"}', 400, "invalid_argument"),
    ("fly", b"{}", 404, "unknown_tool"),
]


@pytest.mark.parametrize(("tool", "body", "status", "kind"), REFUSALS)
def test_refused_call_reports_its_kind_and_changes_nothing(
    client: TestClient, tool: str, body: bytes, status: int, kind: str
) -> None:
    session = client.post("/sessions").json()
    response = client.post(f"/sessions/{session['session']}/calls/{tool}", content=body)
    assert (response.status_code, response.json()["refused"]) == (status, kind)
    assert response.json()["message"]
    digest = client.get(f"/sessions/{session['session']}/digest").json()["digest"]
    assert digest == session["digest"]


def test_session_with_a_request_in_progress_stays_open() -> None:
    sessions = ClientSessions(offer_of(JARS), most=1)
    path = f"/sessions/{sessions.open()}/calls/jars__list_jars"
    assert (
        status_of_slow_request(rest_of(sessions), path, b"{}", lambda: sessions.open() is None)
        == 200
    )
    assert sessions.open() is not None
    sessions.close_all()


def without_none(schema: Any) -> Any:
    """Return a schema as FastAPI writes it, without null values such as null defaults."""
    if isinstance(schema, list):
        return [without_none(element) for element in schema]
    if isinstance(schema, dict):
        return {name: without_none(value) for name, value in schema.items() if value is not None}
    return schema


def test_openapi_document_contains_the_schema_of_every_tool(client: TestClient) -> None:
    document: Any = client.get("/openapi.json").json()
    for name, tool in offer_of(JARS).tools.items():
        operation = document["paths"][f"/sessions/{{session}}/calls/{name}"]["post"]
        assert operation["description"] == tool.about
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        result = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert body == without_none(tool.arguments)
        assert result["properties"]["result"] == without_none(tool.result)
    assert {"/sessions", "/sessions/{session}", "/sessions/{session}/digest"} < set(
        document["paths"]
    )
    assert "$ref" not in str(document)
