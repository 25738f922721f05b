"""Requests and responses of the replica, and functions that its pages share."""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Ask:
    """A request: host without port, path, query, headers in lower case, body."""

    method: str
    host: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""

    def number(self, name: str, default: int = 1) -> int:
        """Return a whole number from the query."""
        text = self.query.get(name, "")
        return int(text) if text.isdigit() else default


@dataclass(frozen=True)
class Answer:
    """A response; the server adds length, date and ETag."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def read_ask(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Ask:
    """Parse a request line and headers."""
    parts = urlsplit(target)
    host = headers.get("host", "").partition(":")[0].lower()
    return Ask(method, host, parts.path, dict(parse_qsl(parts.query)), headers, body)


def page(title: str, body: str, status: int = 200, head: str = "") -> Answer:
    """Return an HTML page."""
    text = (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<link rel="icon" href="data:,">{head}</head>\n<body>\n{body}\n</body></html>\n'
    )
    return Answer(status, text.encode(), (("Content-Type", "text/html; charset=utf-8"),))


def as_json(value: object, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    """Return a JSON response."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return Answer(status, body, (("Content-Type", "application/json; charset=utf-8"), *headers))


def moved(target: str, status: int = 302) -> Answer:
    """Return a redirect to an address."""
    return Answer(status, b"", (("Location", target),))


def plain_404() -> Answer:
    """Return a 404 page."""
    return page("Not found", "<h1>404</h1><p>Nothing lives here.</p>", 404)


def robots(*lines: str) -> Answer:
    """Return a robots.txt that allows every crawler."""
    text = "\n".join(("User-agent: *", *lines)) + "\n"
    return Answer(200, text.encode(), (("Content-Type", "text/plain"),))


escape = html.escape
