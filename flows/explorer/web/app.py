"""The web application: its pages, its style, and its error pages."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

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
from flows.explorer.web.pages import render, style
from flows.explorer.web.site import Site

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]
Room = Callable[[FastAPI, Site], None]
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
    release: OpenRelease, lifespan: Lifespan | None = None, first: Sequence[Room] = ()
) -> FastAPI:
    """Build the web application of a release, without access control (see the guard).

    The pages of `first` take precedence over the others.
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

    def styled() -> Response:
        return PlainTextResponse(css, media_type="text/css")

    def no_icon() -> Response:
        return Response(status_code=204)  # browsers ask for one, and report a missing one

    app.get("/style.css")(styled)
    app.get("/favicon.ico")(no_icon)
    app.add_exception_handler(ExploreError, _fault)
    app.add_exception_handler(404, _fault)
    return app


def _fault(request: Request, error: Exception) -> Response:
    del request
    if not isinstance(error, ExploreError):
        error = AbsentError("there is no such page")
    page = render("told.html.j2", title=error.title, text=str(error), home=True)
    return HTMLResponse(page, error.status)
