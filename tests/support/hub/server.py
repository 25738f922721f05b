"""A web server that stands in for the Hugging Face Hub on loopback.

The server checks every request. Uploads must have their announced digest, commits must fit onto
their parent and may only name stored large files, and every call needs the token, except uploads to
the store of large files, which must not get it. Faults are injected by request.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.support.hub.endpoints import Answer, HubRequest, answer, json_answer, store
from tests.support.hub.repository import Fault, Hub, RefusedError

__all__ = ["TOKEN", "Fault", "Hub", "hub_server"]

TOKEN = "hf_not_a_token_of_anybody"


@contextmanager
def hub_server() -> Iterator[Hub]:
    """Run the stand-in until the block ends and yield its state."""
    hub = Hub()

    class Requests(_Requests):
        state = hub

    with ThreadingHTTPServer(("127.0.0.1", 0), Requests) as server:
        hub.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            hub.released.set()
            server.shutdown()
            thread.join()


class _Requests(BaseHTTPRequestHandler):
    state: Hub
    protocol_version = "HTTP/1.1"
    # Without these settings the body would wait until the client confirms the head.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
        """Write nothing to standard error."""

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def _serve(self) -> None:
        line = f"{self.command} {urlsplit(self.path).path}"
        self.state.log.append(line)
        fault = self.state.fault(line)
        if fault == "cut":
            self.rfile.read(min(1000, int(self.headers.get("Content-Length", 0))))
            self.close_connection = True
            return
        body = self._body()
        if fault == "hold":
            self.state.released.wait()
            self.close_connection = True
            return
        try:
            response = self._answer(fault, body)
        except RefusedError as error:
            headers = {"X-Error-Code": error.code} if error.code else {}
            response = json_answer({"error": str(error)}, error.status, headers)
        self.send_response(response.status)
        for name, value in {**response.headers, "Content-Length": str(len(response.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    def _answer(self, fault: str | None, body: bytes) -> Answer:
        authorization = self.headers.get("Authorization", "")
        if fault is not None and fault.isdigit():
            # This error repeats the token as a careless server may do; the client must not show it.
            raise RefusedError(int(fault), f"refused for {authorization}")
        parts = urlsplit(self.path)
        with self.state.lock:
            if parts.path.startswith("/store/"):
                if authorization and self.command == "PUT":
                    self.state.leaks.append(self.path)
                return store(self.state, parts.path, body)
            if authorization != f"Bearer {TOKEN}":
                raise RefusedError(401, "Invalid credentials in Authorization header")
            query, span = parse_qs(parts.query), self.headers.get("Range", "")
            return answer(HubRequest(self.state, self.command, parts.path, query, body, span))

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks: list[bytes] = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)
