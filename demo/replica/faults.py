"""Faults that tests switch on: each has a host, a path, a kind and a number of repetitions."""

import gzip
import re
import threading
from dataclasses import dataclass
from functools import cache
from typing import Literal

from demo.replica.exchange import Answer, Ask

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
KINDS: tuple[Kind, ...] = Kind.__args__  # type: ignore[attr-defined]  # the values of a Literal
SLOW_SECONDS = 0.6
HUGE_BYTES = 40 * 1024 * 1024
_KEY = re.compile(rb'"(\w+)":')


@dataclass
class Fault:
    """A fault of one host for paths that start with `path`, `times` times (-1: always)."""

    host: str
    path: str
    kind: Kind
    times: int = 1


class Faults:
    """The faults that are switched on."""

    def __init__(self) -> None:
        self._active: list[Fault] = []
        self._guard = threading.Lock()

    def add(self, host: str, path: str, kind: Kind, times: int = 1) -> None:
        """Switch a fault on."""
        with self._guard:
            if kind == "bomb":
                _bomb()
            self._active.append(Fault(host, path, kind, times))

    def clear(self) -> None:
        """Switch every fault off."""
        with self._guard:
            self._active.clear()

    def take(self, ask: Ask) -> Kind | None:
        """Return the active fault for a request, and count its use."""
        if ask.path == "/robots.txt":
            return self._take(ask, exact=True)
        return self._take(ask, exact=False)

    def _take(self, ask: Ask, *, exact: bool) -> Kind | None:
        with self._guard:
            for fault in self._active:
                hit = ask.path == fault.path if exact else ask.path.startswith(fault.path)
                if fault.host == ask.host and fault.times and hit:
                    fault.times -= 1 if fault.times > 0 else 0
                    return fault.kind
        return None


def spoil(kind: Kind, answer: Answer) -> Answer:
    """Return the response damaged by a fault."""
    if kind == "retry_after":
        return Answer(429, b"slow down", (("Retry-After", "1"),))
    if kind == "wait_an_hour":
        return Answer(503, b"later", (("Retry-After", "3600"),))
    if kind == "server_error":
        return Answer(500, b"oops")
    if kind == "forbidden":
        return Answer(403, b"no")
    if kind == "challenge":
        body = b'<html><title>Just a moment</title><script src="/cdn-cgi/challenge-platform/x.js">'
        return Answer(403, body, (("cf-mitigated", "challenge"), ("Content-Type", "text/html")))
    if kind == "not_found":
        return Answer(404, b"<html><body>gone</body></html>", (("Content-Type", "text/html"),))
    if kind == "changed":
        return Answer(answer.status, _other_markup(answer.body), answer.headers)
    if kind == "huge":
        plain = (("Content-Encoding", "identity"), ("Content-Type", "text/html"))
        return Answer(200, b"<html>" + b"x" * HUGE_BYTES, plain)
    if kind == "bomb":
        return Answer(200, _bomb(), (("Content-Encoding", "gzip"), ("Content-Type", "text/html")))
    return answer


@cache
def _bomb() -> bytes:
    """Return many zeros, compressed; cached, because compressing them takes long."""
    return gzip.compress(b"\0" * HUGE_BYTES, mtime=0)


def _other_markup(body: bytes) -> bytes:
    """Return the page as after a redesign: classes, or all keys of JSON, are renamed."""
    if body.lstrip()[:1] in {b"{", b"["}:
        return _KEY.sub(rb'"\1x":', body)
    for name in (b"class=", b"<h1", b"<h2", b"<h3"):
        body = body.replace(name, name[:-1] + b"x" + name[-1:])
    return body.replace(b"icloud.com/shortcuts", b"icloud.com/shared")
