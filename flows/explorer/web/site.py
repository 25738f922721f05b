"""Parts that all pages share: the release, its lists, and the frame around every page."""

import msgspec
from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from flows.explorer.open_release import OpenRelease
from flows.explorer.table_page import Lists
from flows.explorer.web.pages import render

REQUESTS, CONVERSATIONS = "/requests", "/conversations"
"""Pages that show more than one table."""
DOORS = (
    ("queries", "Requests", "Requests beside the steps that carry them out.", REQUESTS),
    ("shortcuts", "Shortcuts", "Shortcuts that people shared: steps, data flow, texts.", ""),
    ("planning_paths", "Plans", "Calls of one or more apps, with their data flow.", ""),
    (
        "dialogues",
        "Conversations",
        "Dialogues turn by turn, with calls and results.",
        CONVERSATIONS,
    ),
    ("tasks", "Tasks", "Tasks in worlds, which you can play by hand.", ""),
    ("api_definitions", "APIs", "Functions of apps: parameters, users, values.", ""),
    ("apps", "Apps", "Apps whose APIs shortcuts use.", ""),
)
"""The tables that every page leads to: name, what its rows are called, what they are, and the page
that shows them if their list does not."""


class Door(msgspec.Struct, frozen=True):
    """A link to the rows of a table: the page, what its rows are called, their number and text."""

    url: str
    label: str
    count: int
    text: str


class Around(msgspec.Struct, frozen=True):
    """Facts about the release that every page shows."""

    heading: str
    content_digest: str
    total: int
    doors: tuple[Door, ...]


class Site:
    """The pages of one release."""

    def __init__(self, release: OpenRelease) -> None:
        self.release = release
        self.lists = Lists(release)
        self._around = Around(
            heading=f"{release.manifest.details.heading} {release.manifest.version}",
            content_digest=release.manifest.content_digest,
            total=sum(table.rows for table in release.tables.values()),
            doors=tuple(
                Door(page or f"/tables/{name}", label, release.tables[name].rows, text)
                for name, label, text, page in DOORS
                if release.has(name)
            ),
        )

    def page(self, template: str, request: Request, title: str, **values: object) -> Response:
        """Render a page from a template."""
        values = {"words": "", "here": request.url.path, **values}
        return HTMLResponse(render(template, release=self._around, title=title, **values))


def query_parameter(request: Request, name: str) -> str:
    """Return a parameter of the URL; an empty text if it is missing."""
    return request.query_params.get(name, "")
