"""The replica server, which imitates all sites and iCloud on a loopback address."""

import gzip
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from demo.replica.exchange import Request, Response, plain_404, read_request, robots
from demo.replica.faults import SLOW_SECONDS, Faults, Kind, damaged
from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.pages.icloud import forget_addresses
from demo.replica.world import World

LOOPBACK = "127.0.0.1"
_GZIP_FROM = 1024


@dataclass(frozen=True)
class LoggedRequest:
    """A request in the log of the server.

    `connection` is the port of the client. `started` is the time at which the request line had
    arrived, `ended` the time at which the response was ready; both are monotonic seconds. `sent` is
    the size of the response's body in bytes.
    """

    host: str
    connection: int
    method: str
    path: str
    status: int
    started: float
    ended: float
    sent: int
    user_agent: str


def build_world() -> World:
    """Return the entries of all imitated sites; every call returns an equal object."""
    sites = {site.SITE: site for site in RESPONDERS.only(SharingSite).values()}
    return World({name: site.entries() for name, site in sites.items()})


class Replica(ThreadingHTTPServer):
    """A server that answers for all sites on one port; the Host header selects the site."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, port: int = 0, world: World | None = None) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        forget_addresses()
        self.world = world or build_world()
        self.faults = Faults()
        self.log: list[LoggedRequest] = []
        self.overrides: dict[str, Callable[[World, Request], Response]] = {}
        """A mapping from hosts to functions that answer in place of the imitated site."""

    @property
    def address(self) -> str:
        """The address of the server as `host:port`, for the crawl settings."""
        return f"{LOOPBACK}:{self.server_port}"

    def answer(self, request: Request) -> Response:
        """Return the response of the site whose host is requested, without faults."""
        if request.host in self.overrides:
            return self.overrides[request.host](self.world, request)
        responder = RESPONDERS.all().get(request.host)
        if responder is None:
            return plain_404()
        if request.path == "/robots.txt":
            return robots(*responder.ROBOTS)
        return responder.answer(self.world, request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors, because tests kill clients in the middle of requests."""


class _Handler(BaseHTTPRequestHandler):
    """A handler that answers the requests of one connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    timeout = 120
    server: Replica
    started = 0.0

    def parse_request(self) -> bool:
        """Record the time at which a request arrives, and parse the request."""
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
        request = read_request(self.command, self.path, headers, body)
        fault = self.server.faults.take(request)
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
        answer = self.server.answer(request)
        if fault is not None:
            answer = damaged(fault, answer)
        answer = _with_validator(request, answer)
        self._send(request, answer, fault)
        self.wfile.flush()

    def _send(self, request: Request, answer: Response, fault: Kind | None) -> None:
        if fault == "dropped":
            self.close_connection = True
            self._log(request, 0, 0)
            return
        body, encoding = _encoded(request, answer)
        length = len(body)
        if fault == "wrong_length":
            length += 11
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        if answer.status != 304:
            self.send_header("Content-Length", str(length))
        if fault in {"truncated", "wrong_length"}:
            self.close_connection = True
            body = body if fault == "wrong_length" else body[: len(body) // 2]
        # Logged before it leaves, so that a client that has its answer finds it in the log.
        self._log(request, answer.status, len(body))
        self.end_headers()
        self.wfile.write(body)

    def _log(self, request: Request, status: int, sent: int) -> None:
        self.server.log.append(
            LoggedRequest(
                host=request.host,
                connection=self.client_address[1],
                method=request.method,
                path=self.path,
                status=status,
                started=self.started,
                ended=time.monotonic(),
                sent=sent,
                user_agent=request.headers.get("user-agent", ""),
            )
        )

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
        """Write nothing to standard error, because tests read the log of the server."""


def _with_validator(request: Request, answer: Response) -> Response:
    """Return the response with an ETag, or HTTP 304 if the client already has the same body."""
    if answer.status != 200 or request.method != "GET" or request.host.startswith("www.icloud"):
        return answer
    tag = f'"{hashlib.sha256(answer.body).hexdigest()[:16]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(304, b"", (("ETag", tag),))
    return Response(200, answer.body, (*answer.headers, ("ETag", tag)))


def _encoded(request: Request, answer: Response) -> tuple[bytes, str | None]:
    """Return the body and its encoding; a large body is compressed if the client accepts gzip."""
    already = any(name == "Content-Encoding" for name, _ in answer.headers)
    takes = "gzip" in request.headers.get("accept-encoding", "")
    if takes and not already and len(answer.body) >= _GZIP_FROM:
        return gzip.compress(answer.body, 1, mtime=0), "gzip"
    return answer.body, None


@contextmanager
def running_replica(port: int = 0, world: World | None = None) -> Iterator[Replica]:
    """Yield a server that answers requests while the block runs; port 0 means any free port."""
    replica = Replica(port, world)
    thread = threading.Thread(target=replica.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield replica
    finally:
        replica.shutdown()
        replica.server_close()
        thread.join(5)
