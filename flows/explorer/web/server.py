"""Serve the pages of a release on this machine until the user interrupts the server."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from benchloom.worlds.servers.http_server import serve_at
from flows.explorer.errors import AbsentError, ExploreError
from flows.explorer.open_release import OpenRelease
from flows.explorer.web import (
    apis,
    conversations,
    plans,
    play,
    requests,
    search,
    shortcuts,
    tables,
)
from flows.explorer.web.guard import guarded
from flows.explorer.web.pages import render, style
from flows.explorer.web.play import PLAY
from flows.explorer.web.review import REVIEW, Review
from flows.explorer.web.review import add_to as add_review
from flows.explorer.web.site import Site

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]
AddPages = Callable[[FastAPI, Site], None]
_ROOMS = (
    requests,
    tables,
    shortcuts,
    plans,
    conversations,
    apis,
    search,
    play,
)


def explore_app(
    release: OpenRelease, lifespan: Lifespan | None = None, first: Sequence[AddPages] = ()
) -> FastAPI:
    """Build the web application of a release, without the access control of `guarded`.

    The pages that `first` adds take precedence over the others.
    """
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=HTMLResponse,
    )
    site = Site(release)
    for room in (*first, *(module.add_to for module in _ROOMS)):
        room(app, site)
    css = style()

    @app.get("/style.css")
    def styled() -> Response:
        return PlainTextResponse(css, media_type="text/css")

    @app.get("/favicon.ico")
    def no_icon() -> Response:
        return Response(status_code=204)  # browsers request an icon, and report a missing one

    app.add_exception_handler(ExploreError, _fault)
    app.add_exception_handler(404, _fault)
    return app


def _fault(request: Request, error: Exception) -> Response:
    del request
    if not isinstance(error, ExploreError):
        error = AbsentError("there is no such page")
    page = render("message.html.j2", title=error.title, text=str(error), home=True)
    return HTMLResponse(page, error.status)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def serve_release(
    release: OpenRelease,
    ready: Callable[[int], None],
    *,
    port: int = 0,
    token: str = "",
    review: Review | None = None,
) -> None:
    """Serve until interrupted; `ready` receives the port once browsers can connect.

    Port 0 takes a free port. With a review, the first page is the review.

    Raises:
        RunError: the port is in use or cannot be opened.
    """
    serve_at(port, lambda bound_port: application(release, token, bound_port, review), ready)


def application(
    release: OpenRelease,
    token: str = "",
    ready: Callable[[], None] = lambda: None,
    review: Review | None = None,
) -> Any:
    """Build the web application of a release behind access control."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> Any:
        del app
        ready()
        yield

    if review is None:
        return guarded(explore_app(release, lifespan), token, frozenset({PLAY}))
    pages = explore_app(release, lifespan, [partial(add_review, review=review)])
    return guarded(pages, token, frozenset({PLAY, REVIEW}))
