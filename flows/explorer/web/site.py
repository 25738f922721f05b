"""Parts that all pages share: the release, its lists, and the frame around every page."""

import msgspec
from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from flows.explorer.open_release import OpenRelease
from flows.explorer.table_page import Lists
from flows.explorer.web.pages import render

REQUESTS, CONVERSATIONS = "/requests", "/conversations"
"""Pages that show more than one table."""
NAVIGATION = (
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
"""Tables in the navigation of every page: table, title, description, and the page if it is not the
list of the table's rows."""


class NavigationLink(msgspec.Struct, frozen=True):
    """A link to the rows of a table: its page, title, number of rows and description."""

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
    """The pages of one release."""

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
        """Render a page from a template."""
        values = {"words": "", "here": request.url.path, **values}
        return HTMLResponse(render(template, release=self._frame, title=title, **values))


def query_parameter(request: Request, name: str) -> str:
    """Return a parameter of the URL, or an empty text if it is missing."""
    return request.query_params.get(name, "")
