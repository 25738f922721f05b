"""Build the HTTP interface of a world, which opens sessions, calls tools and returns digests."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

import msgspec
from fastapi import FastAPI, Request, Response

import benchloom
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import OfferedTool, decode_arguments, refusal_message
from benchloom.worlds.servers.client_sessions import ClientSessions
from benchloom.worlds.servers.slots import CLOSED
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.tool import Schema

_Responses: TypeAlias = dict[int | str, dict[str, Any]]
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]
FULL = "all sessions are answering requests: try again, or serve more with --clients"
_REFUSAL: Schema = {
    "type": "object",
    "properties": {"refused": {"type": "string"}, "message": {"type": "string"}},
    "required": ["refused", "message"],
}
_IN_SESSION: dict[str, Any] = {
    "parameters": [
        {
            "name": "session",
            "in": "path",
            "required": True,
            "schema": {"type": "string"},
            "description": "the id that POST /sessions returned",
        }
    ]
}


class RefusedRequestError(Exception):
    """Raised to refuse a request with an HTTP status, and with a kind and a reason."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.response = refused(status, kind, message)


async def _refuse(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, RefusedRequestError)  # noqa: S101  registered for this error only
    return error.response


def application_of(title: str, about: str, lifespan: Lifespan | None) -> FastAPI:
    """Build a web application, still without routes; a `RefusedRequestError` becomes a response."""
    return FastAPI(
        title=title,
        version=benchloom.__version__,
        description=about,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers={RefusedRequestError: _refuse},
    )


def rest_of(sessions: ClientSessions, lifespan: Lifespan | None = None) -> FastAPI:
    """Build the web application of a world; each tool has a route, which OpenAPI describes."""
    offer = sessions.offer
    app = application_of(offer.world.name, f"It is {offer.world.now}.", lifespan)

    async def open_session() -> Response:
        """Open a session with a new copy of the initial state."""
        session_id = sessions.open()
        if session_id is None:
            return refused(503, "unavailable", FULL)
        digest = _session(sessions, session_id).digest()
        return answer(201, {"session": session_id, "digest": digest})

    async def digest(request: Request) -> Response:
        """Return the digest of the state that the tools can change."""
        session = _session(sessions, request.path_params["session"])
        return answer(200, {"digest": session.digest()})

    async def close(request: Request) -> Response:
        """End a session."""
        if not sessions.close(request.path_params["session"]):
            raise _unknown()
        return Response(status_code=204)

    text: Schema = {"type": "string"}
    opened: _Responses = {
        201: _response("a session", _object(session=text, digest=text)),
        503: _response("too many sessions are open", _REFUSAL),
    }
    current: _Responses = {200: _response("a digest", _object(digest=text)), **_NO_SESSION}
    in_session = "/sessions/{session}"
    for path, function, method, name, status, responses in (
        ("/sessions", open_session, "POST", "open_session", 201, opened),
        (f"{in_session}/digest", digest, "GET", "digest", 200, current),
        (in_session, close, "DELETE", "close_session", 204, _NO_SESSION),
    ):
        app.add_api_route(
            path,
            function,
            methods=[method],
            operation_id=name,
            status_code=status,
            response_class=Response,
            responses=responses,
            openapi_extra=_IN_SESSION if path.startswith(in_session) else None,
        )
    for tool in offer.tools.values():
        _add_tool(app, sessions, tool)
    app.add_api_route(
        f"{in_session}/calls/{{tool}}", _unknown_tool, methods=["POST"], include_in_schema=False
    )
    return app


def _add_tool(app: FastAPI, sessions: ClientSessions, tool: OfferedTool) -> None:
    app.add_api_route(
        f"/sessions/{{session}}/calls/{tool.name}",
        _caller(sessions, tool),
        methods=["POST"],
        operation_id=tool.name,
        description=tool.about,
        status_code=200,
        response_class=Response,
        responses={
            200: _response("the result of the tool", _object(result=tool.result)),
            400: _response("the body is not a JSON object", _REFUSAL),
            **_NO_SESSION,
            409: _response("the tool refuses the call; the state is unchanged", _REFUSAL),
        },
        openapi_extra={
            **_IN_SESSION,
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": tool.arguments}},
            },
        },
    )


def _caller(
    sessions: ClientSessions, tool: OfferedTool
) -> Callable[[Request], Awaitable[Response]]:
    async def call(request: Request) -> Response:
        session_id = request.path_params["session"]
        with sessions.in_use(session_id):
            body = await request.body()
        _session(sessions, session_id)
        arguments = decode_arguments(body or b"{}")
        if arguments is None:
            return refused(400, "invalid_argument", "the body is not a JSON object")
        return outcome_response(sessions.call(session_id, tool.name, arguments))

    return call


async def _unknown_tool(request: Request) -> Response:
    name = request.path_params["tool"][:200]
    return refused(404, "unknown_tool", f"unknown tool {name!r}")


def _unknown() -> RefusedRequestError:
    return RefusedRequestError(404, "unavailable", f"no such session: {CLOSED}")


def _session(sessions: ClientSessions, session_id: str) -> Session:
    session = sessions.find(session_id)
    if session is None:
        raise _unknown()
    return session


def outcome_response(outcome: Outcome) -> Response:
    """Return the response to a call: its result, or the refusal with status 409."""
    if outcome.refused is not None:
        return answer(409, refusal_message(outcome))
    return answer(200, {"result": outcome.result})


def refused(status: int, kind: str, message: str) -> Response:
    """Return an error response with the kind and the reason of a refusal."""
    return answer(status, {"refused": kind, "message": message})


def answer(status: int, content: Plain) -> Response:
    """Return a response whose body is `content` as JSON."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def _response(description: str, schema: Schema) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


_NO_SESSION: _Responses = {404: _response("no such session", _REFUSAL)}
