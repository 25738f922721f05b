"""The replica server: HTTP/1.1 on a loopback address, with many connections and one log."""

import gzip
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from demo.replica.building import build_world
from demo.replica.exchange import Answer, Ask, plain_404, read_ask
from demo.replica.faults import SLOW_SECONDS, Faults, Kind, spoil
from demo.replica.log import Seen
from demo.replica.pages import RESPONDERS
from demo.replica.pages.icloud import forget_addresses
from demo.replica.world import World

LOOPBACK = "127.0.0.1"
_GZIP_FROM = 1024


class Replica(ThreadingHTTPServer):
    """All sites on one port, distinguished by the Host header."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, port: int = 0, world: World | None = None) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        forget_addresses()
        self.world = world or build_world()
        self.faults = Faults()
        self.log: list[Seen] = []
        self.instead: dict[str, Callable[[World, Ask], Answer]] = {}
        """Functions that replace the responses of a site, by host."""

    @property
    def address(self) -> str:
        """The address `host:port`, for the crawl settings."""
        return f"{LOOPBACK}:{self.server_port}"

    def answer(self, ask: Ask) -> Answer:
        """Return the answer of the requested host."""
        if ask.host in self.instead:
            return self.instead[ask.host](self.world, ask)
        responder = RESPONDERS.all().get(ask.host)
        return responder.answer(self.world, ask) if responder is not None else plain_404()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the error: tests kill clients in the middle of requests."""


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    timeout = 120
    server: Replica
    _NO_BODY: ClassVar = frozenset({304})
    started = 0.0

    def parse_request(self) -> bool:
        """Record the time at which a request arrives, and parse it."""
        self.started = time.monotonic()
        return super().parse_request()

    def do_GET(self) -> None:
        """Answer a GET request."""
        self._respond(b"")

    def do_POST(self) -> None:
        """Answer a POST request."""
        self._respond(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _respond(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        ask = read_ask(self.command, self.path, headers, body)
        fault = self.server.faults.take(ask)
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
        answer = self.server.answer(ask)
        if fault is not None:
            answer = spoil(fault, answer)
        answer = _with_validator(ask, answer)
        self._send(ask, answer, fault)
        self.wfile.flush()

    def _send(self, ask: Ask, answer: Answer, fault: Kind | None) -> None:
        if fault == "dropped":
            self.close_connection = True
            self._log(ask, 0, 0)
            return
        body, encoding = _encoded(ask, answer)
        length = len(body)
        if fault == "wrong_length":
            length += 11
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        if answer.status not in self._NO_BODY:
            self.send_header("Content-Length", str(length))
        if fault in {"truncated", "wrong_length"}:
            self.close_connection = True
            body = body if fault == "wrong_length" else body[: len(body) // 2]
        # Logged before it leaves, so that a client that has its answer finds it in the log.
        self._log(ask, answer.status, len(body))
        self.end_headers()
        self.wfile.write(body)

    def _log(self, ask: Ask, status: int, sent: int) -> None:
        self.server.log.append(
            Seen(
                host=ask.host,
                connection=self.client_address[1],
                method=ask.method,
                path=self.path,
                status=status,
                started=self.started,
                ended=time.monotonic(),
                sent=sent,
                user_agent=ask.headers.get("user-agent", ""),
                by_browser="sec-fetch-dest" in ask.headers,
            )
        )

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
        """Write nothing to standard error; tests read the log."""


def _with_validator(ask: Ask, answer: Answer) -> Answer:
    """Return the answer with an ETag, or HTTP 304 if the client has the same body."""
    if answer.status != 200 or ask.method != "GET" or ask.host.startswith("www.icloud"):
        return answer
    tag = f'"{hashlib.sha256(answer.body).hexdigest()[:16]}"'
    if ask.headers.get("if-none-match") == tag:
        return Answer(304, b"", (("ETag", tag),))
    return Answer(200, answer.body, (*answer.headers, ("ETag", tag)))


def _encoded(ask: Ask, answer: Answer) -> tuple[bytes, str | None]:
    """Return the body, compressed if the client accepts it and the body is large enough."""
    already = any(name == "Content-Encoding" for name, _ in answer.headers)
    takes = "gzip" in ask.headers.get("accept-encoding", "")
    if takes and not already and len(answer.body) >= _GZIP_FROM:
        return gzip.compress(answer.body, 1, mtime=0), "gzip"
    return answer.body, None


@contextmanager
def running_replica(port: int = 0, world: World | None = None) -> Iterator[Replica]:
    """Yield a replica that answers inside the block; port 0 means any free port."""
    replica = Replica(port, world)
    thread = threading.Thread(target=replica.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield replica
    finally:
        replica.shutdown()
        replica.server_close()
        thread.join(5)
