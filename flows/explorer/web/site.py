"""This module contains what all pages share: the release, its lists and the frame of a page."""

import msgspec
from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from flows.explorer.open_release import OpenRelease
from flows.explorer.table_page import Lists
from flows.explorer.web.pages import render

REQUESTS, CONVERSATIONS = "/requests", "/conversations"
"""Paths of pages that show rows of more than one table."""
NAVIGATION = (
    ("queries", "Requests", "Requests beside the steps that carry them out.", REQUESTS),
    ("shortcuts", "Shortcuts", "Shortcuts that people shared, with steps and data flow.", ""),
    ("planning_paths", "Plans", "Calls of one or more apps, with their data flow.", ""),
    (
        "dialogues",
        "Conversations",
        "Dialogues turn by turn, with calls and results.",
        CONVERSATIONS,
    ),
    ("tasks", "Tasks", "Tasks in worlds, which you can play by hand.", ""),
    ("api_definitions", "APIs", "Functions of apps, with their parameters and uses.", ""),
    ("apps", "Apps", "Apps whose APIs shortcuts use.", ""),
)
"""The tables in the navigation of every page. Each has a table name, a title, a description, and
the path of a page if that is not the list of the table's rows."""


class NavigationLink(msgspec.Struct, frozen=True):
    """A link in the navigation to the rows of a table, with their number and a description."""

    url: str
    label: str
    count: int
    text: str


class Frame(msgspec.Struct, frozen=True):
    """Facts about the release in the frame of every page."""

    heading: str
    content_digest: str
    total: int
    links: tuple[NavigationLink, ...]


class Site:
    """Renders the pages of one release, which all have the same frame."""

    def __init__(self, release: OpenRelease) -> None:
        self.release = release
        self.lists = Lists(release)
        self._frame = Frame(
            heading=f"{release.manifest.details.heading} {release.manifest.version}",
            content_digest=release.manifest.content_digest,
            total=sum(table.rows for table in release.tables.values()),
            links=tuple(
                NavigationLink(page or f"/tables/{name}", label, release.tables[name].rows, text)
                for name, label, text, page in NAVIGATION
                if release.has(name)
            ),
        )

    def page(self, template: str, request: Request, title: str, **values: object) -> Response:
        """Render a page from a template, inside the frame of the release."""
        values = {"words": "", "here": request.url.path, **values}
        return HTMLResponse(render(template, release=self._frame, title=title, **values))


def query_parameter(request: Request, name: str) -> str:
    """Return a parameter of the URL, or an empty text if it is missing."""
    return request.query_params.get(name, "")
