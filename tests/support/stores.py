"""Stores on loopback that tests copy inputs from: an S3 server, and web servers with faults.

Both log their requests, and run a function of the test before each response.
"""

import atexit
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import fsspec

KEY, SECRET = "testing", "a-planted-secret-of-the-store"


class RequestLog:
    """The requests to a server by method and path, with a hook that runs before each response.

    `refused` is the error code with which S3 refuses every request.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self.before: Callable[[str, str], object] | None = None
        self.refused: str | None = None

    def note(self, method: str, path: str) -> None:
        """Log a request."""
        self.requests.append((method, path))
        if self.before is not None:
            self.before(method, path)

    def take_paths(self) -> list[str]:
        """Return the paths of the files fetched since the last call, and clear the log."""
        fetched_paths = [
            path for method, path in self.requests if method == "GET" and _is_file(path)
        ]
        self.requests.clear()
        return fetched_paths


def _is_file(path: str) -> bool:
    return path.count("/") > 1 and "list-type" not in path


def s3_environment(address: str) -> dict[str, str]:
    """Return the environment variables with which a process uses an S3 server."""
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
    }


@contextmanager
def s3_server(request_log: RequestLog | None = None) -> Iterator[str]:
    """Run an S3 server without buckets that logs its requests, and yield its address."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    assert server._server is not None
    if request_log is not None:
        server._server.app = _logged(server._server.app, request_log)
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def _logged(backend: Any, request_log: RequestLog) -> Any:
    """Wrap the application of a server: log requests, and refuse them on demand."""

    def application(environ: Mapping[str, Any], start_response: Any) -> Iterable[bytes]:
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        request_log.note(environ["REQUEST_METHOD"], environ["PATH_INFO"] + query)
        if request_log.refused is not None:
            start_response("403 Forbidden", [("Content-Type", "application/xml")])
            message = f"{KEY} {SECRET} is not known"
            text = f"<Error><Code>{request_log.refused}</Code><Message>{message}</Message></Error>"
            return [] if environ["REQUEST_METHOD"] == "HEAD" else [text.encode()]
        answer: Iterable[bytes] = backend(environ, start_response)
        return answer

    return application


class Bucket:
    """A new bucket on an S3 server; `env` contains the variables that a process needs for it."""

    def __init__(self, address: str, request_log: RequestLog) -> None:
        self.request_log = request_log
        self.name = f"bucket-{uuid.uuid4().hex[:12]}"
        self.env = s3_environment(address)
        self._files: Any = fsspec.filesystem(
            "s3", key=KEY, secret=SECRET, endpoint_url=address, skip_instance_cache=True
        )
        self._files.mkdir(self.name)

    def url(self, path: str = "") -> str:
        """Return the address of a path in the bucket."""
        return f"s3://{self.name}/{path}".rstrip("/")

    def put(self, path: str, content: bytes) -> None:
        """Write an object."""
        self._files.pipe_file(f"{self.name}/{path}", content)

    def put_all(self, files: Mapping[str, bytes]) -> None:
        """Write many objects at the same time."""
        self._files.pipe({f"{self.name}/{path}": content for path, content in files.items()})

    def remove(self, path: str) -> None:
        """Remove an object."""
        self._files.rm_file(f"{self.name}/{path}")


@cache
def _shared_server() -> tuple[str, RequestLog]:
    """Return the address and the log of the S3 server that all buckets of this process share."""
    request_log, servers = RequestLog(), ExitStack()
    atexit.register(servers.close)
    return servers.enter_context(s3_server(request_log)), request_log


@contextmanager
def s3_bucket() -> Iterator[Bucket]:
    """Yield an empty bucket with a new name on the shared S3 server."""
    address, request_log = _shared_server()
    bucket = Bucket(address, request_log)
    request_log.requests.clear()
    try:
        yield bucket
    finally:
        request_log.before = request_log.refused = None


class Page:
    """A response of a web server; `declared_size` is its Content-Length, by default correct."""

    def __init__(
        self,
        body: bytes = b"",
        *,
        status: int = 200,
        etag: str | None = None,
        declared_size: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.body = body
        self.status = status
        self.declared_size = len(body) if declared_size is None else declared_size
        self.headers = dict(headers or {}) | ({"ETag": f'"{etag}"'} if etag else {})


class WebServer:
    """The pages of a web server by path; other paths give status 404."""

    def __init__(self, address: str, request_log: RequestLog) -> None:
        self.address = address
        self.request_log = request_log
        self.pages: dict[str, Page] = {}


@contextmanager
def web_server() -> Iterator[WebServer]:
    """Run a web server on loopback and yield it."""
    request_log = RequestLog()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(with_body=True)

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def log_message(self, *words: object) -> None:
            pass

        def _answer(self, *, with_body: bool) -> None:
            request_log.note(self.command, self.path)
            page = site.pages.get(self.path.partition("?")[0], Page(status=404))
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(page.declared_size))
            self.end_headers()
            if with_body:
                self.wfile.write(page.body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = WebServer(f"http://127.0.0.1:{server.server_port}", request_log)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
