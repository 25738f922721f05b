"""Serve a release on loopback until interrupted."""

import secrets
from collections.abc import Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI

from benchloom.worlds.serving.listening import serve_at
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.app import explore_app
from flows.explorer.web.guard import guarded
from flows.explorer.web.play import PLAY
from flows.explorer.web.review import REVIEW, Review
from flows.explorer.web.review import add_to as add_review


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
