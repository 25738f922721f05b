"""Faults of the replica server that tests switch on for some requests, to test the crawler."""

import gzip
import re
import threading
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from demo.replica.exchange import Request, Response

Kind = Literal[
    "retry_after",
    "wait_an_hour",
    "server_error",
    "slow",
    "truncated",
    "wrong_length",
    "dropped",
    "challenge",
    "forbidden",
    "changed",
    "not_found",
    "huge",
    "bomb",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
SLOW_SECONDS = 0.6
HUGE_BYTES = 40 * 1024 * 1024
_KEY = re.compile(rb'"(\w+)":')
_HTML = ("Content-Type", "text/html")
_CHALLENGE = b'<html><title>Just a moment</title><script src="/cdn-cgi/challenge-platform/x.js">'
_ANSWERS: dict[Kind, Response] = {
    "retry_after": Response(429, b"slow down", (("Retry-After", "1"),)),
    "wait_an_hour": Response(503, b"later", (("Retry-After", "3600"),)),
    "server_error": Response(500, b"oops"),
    "forbidden": Response(403, b"no"),
    "challenge": Response(403, _CHALLENGE, (("cf-mitigated", "challenge"), _HTML)),
    "not_found": Response(404, b"<html><body>gone</body></html>", (_HTML,)),
}
"""Responses that replace the page; faults without a response change the page or the connection."""


@dataclass
class Fault:
    """A fault in the responses of a host to requests for paths that begin with `path`.

    `times` is the number of requests that are still affected, or -1 for all.
    """

    host: str
    path: str
    kind: Kind
    times: int = 1


class Faults:
    """The faults of a replica server that are switched on."""

    def __init__(self) -> None:
        self._active: list[Fault] = []
        self._guard = threading.Lock()

    def add(self, host: str, path: str, kind: Kind, times: int = 1) -> None:
        """Switch on a fault for the next `times` requests, or for all requests if it is -1."""
        with self._guard:
            if kind == "bomb":
                _bomb()  # compressed now, so that the response to the client is not late
            self._active.append(Fault(host, path, kind, times))

    def clear(self) -> None:
        """Switch off every fault."""
        with self._guard:
            self._active.clear()

    def take(self, request: Request) -> Kind | None:
        """Return the kind of the fault that affects a request, or None; count the use.

        Only a fault whose path is exactly /robots.txt affects requests for that file.
        """
        matches = str.__eq__ if request.path == "/robots.txt" else str.startswith
        with self._guard:
            for fault in self._active:
                hit = matches(request.path, fault.path)
                if fault.host == request.host and fault.times and hit:
                    fault.times -= 1 if fault.times > 0 else 0
                    return fault.kind
        return None


def damaged(kind: Kind, answer: Response) -> Response:
    """Return a response with a fault of this kind, made from the response without the fault."""
    if kind == "changed":
        return Response(answer.status, _other_markup(answer.body), answer.headers)
    if kind == "huge":
        plain = (("Content-Encoding", "identity"), _HTML)
        return Response(200, b"<html>" + b"x" * HUGE_BYTES, plain)
    if kind == "bomb":
        return Response(200, _bomb(), (("Content-Encoding", "gzip"), _HTML))
    return _ANSWERS.get(kind, answer)


@cache
def _bomb() -> bytes:
    """Return 40 MiB of zeros, compressed; the result is cached, because compressing takes long."""
    return gzip.compress(b"\0" * HUGE_BYTES, mtime=0)


def _other_markup(body: bytes) -> bytes:
    """Return a page as it may be after a redesign, with other classes or other keys in JSON."""
    if body.lstrip()[:1] in {b"{", b"["}:
        return _KEY.sub(rb'"\1x":', body)
    for name in (b"class=", b"<h1", b"<h2", b"<h3"):
        body = body.replace(name, name[:-1] + b"x" + name[-1:])
    return body.replace(b"icloud.com/shortcuts", b"icloud.com/shared")
