"""Types for requests to the replica server and its responses, and functions that make responses."""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """An HTTP request; `host` has no port, and the names of headers are in lower case."""

    method: str
    host: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""

    def number(self, name: str, default: int = 1) -> int:
        """Return the whole number in a parameter of the query, or the default without one."""
        text = self.query.get(name, "")
        return int(text) if text.isdigit() else default


@dataclass(frozen=True)
class Response:
    """An HTTP response; the server adds the headers for length, date and ETag."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def read_request(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Request:
    """Return a request from the parts of an HTTP request; `target` is a path with a query."""
    parts = urlsplit(target)
    host = headers.get("host", "").partition(":")[0].lower()
    return Request(method, host, parts.path, dict(parse_qsl(parts.query)), headers, body)


def page(title: str, body: str, status: int = 200, head: str = "") -> Response:
    """Return a response with an HTML page; `body` and `head` are markup."""
    text = (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<link rel="icon" href="data:,">{head}</head>\n<body>\n{body}\n</body></html>\n'
    )
    return Response(status, text.encode(), (("Content-Type", "text/html; charset=utf-8"),))


def as_json(
    value: object, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> Response:
    """Return a response with a value as JSON."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return Response(status, body, (("Content-Type", "application/json; charset=utf-8"), *headers))


def moved(target: str, status: int = 302) -> Response:
    """Return a response that redirects to an address."""
    return Response(status, b"", (("Location", target),))


def plain_404() -> Response:
    """Return a response with status 404 and an HTML page."""
    return page("Not found", "<h1>404</h1><p>Nothing lives here.</p>", 404)


def page_of(entries: list[T], number: int, size: int) -> tuple[list[T], int]:
    """Return the entries on page `number` of a list, and the number of its last page.

    Pages have `size` entries and are numbered from 1.
    """
    return entries[(number - 1) * size : number * size], -(-len(entries) // size)


def collection(
    request: Request, entries: list[T], row: Callable[[T], dict[str, object]], message: str
) -> Response:
    """Return the requested page of a WordPress REST collection.

    `row` returns the JSON object of an entry. `message` is the error message for a page after the
    last page.
    """
    number = request.number("page")
    chosen, last = page_of(entries, number, request.number("per_page", 10))
    if number > last:
        return as_json({"code": "rest_post_invalid_page_number", "message": message}, 400)
    counts = (("X-WP-Total", str(len(entries))), ("X-WP-TotalPages", str(last)))
    return as_json([row(entry) for entry in chosen], headers=counts)


def robots(*lines: str) -> Response:
    """Return a robots.txt for all crawlers with these lines, such as `Disallow: /admin/`."""
    text = "\n".join(("User-agent: *", *lines)) + "\n"
    return Response(200, text.encode(), (("Content-Type", "text/plain"),))


escape = html.escape
