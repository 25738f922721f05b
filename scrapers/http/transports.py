"""HTTP transports for httpx that reach only public addresses, or only a replica on this machine.

httpx offers no way to choose the address to which a host name resolves. So the live transport
gives its connection pool another network backend, which connects to exactly the address that was
checked.
"""

import socket
import ssl
import time
from collections.abc import Iterable
from functools import cache
from typing import Any

import httpcore
import httpx

from scrapers.errors import FetchError
from scrapers.http.addresses import is_public

SINGLE_CONNECTION = httpx.Limits(max_connections=1, max_keepalive_connections=1)


def public_addresses(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host.

    Raises:
        FetchError: the host has no address, or any of its addresses is not public.
    """
    try:
        address_entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise FetchError(
            host, "connection", f"the host name has no address: {error.strerror}"
        ) from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in address_entries))
    private = [address for address in addresses if not is_public(address)]
    if private or not addresses:
        raise FetchError(host, "address_refused", "resolves to an address that is not public")
    return addresses


class _PublicBackend(httpcore.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        fault: Exception | None = None
        for address in public_addresses(host, port):
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                fault = error
        raise fault or httpcore.ConnectError(f"{host}: no address")


@cache
def _trust() -> ssl.SSLContext:
    # Cached: all hosts share it.
    return ssl.create_default_context()


# httpx limits each single read; here every read, write and handshake must also end before the
# request's deadline, so that many of these operations together cannot take longer.
class Deadline:
    """The time at which the current request of a connection must be finished."""

    def __init__(self) -> None:
        self._end = float("inf")

    def start(self, seconds: float) -> None:
        """Begin a new request, which must be finished in this many seconds."""
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time for the current request is over."""
        return time.monotonic() >= self._end

    def within(self, timeout: float | None) -> float | None:
        """Return the shorter of `timeout` and the remaining time, in seconds.

        Raises:
            httpcore.ReadTimeout: no time is left.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the request took longer than its time limit")
        if left == float("inf"):
            return timeout
        return left if timeout is None else min(timeout, left)


class _TimedStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._deadline.within(timeout)
        return _TimedStream(
            self._stream.start_tls(ssl_context, server_hostname, left), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _TimedBackend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend, deadline: Deadline) -> None:
        self._backend = backend
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        left = self._deadline.within(timeout)
        stream = self._backend.connect_tcp(host, port, left, local_address, socket_options)
        return _TimedStream(stream, self._deadline)


class SingleConnectionTransport(httpx.HTTPTransport):
    """A transport with one connection and a limit on the total time of each request.

    The caller starts `deadline` before each request. So a server cannot prolong a request by
    sending single bytes slowly. With httpx's limit, which is for each read, it could.
    """

    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        super().__init__(verify=_trust(), limits=SINGLE_CONNECTION)
        self.deadline = Deadline()
        # httpx has no parameter for a network backend, so the pool that it made is replaced.
        self._pool = httpcore.ConnectionPool(
            ssl_context=_trust(),
            max_connections=1,
            max_keepalive_connections=1,
            network_backend=_TimedBackend(backend, self.deadline),
        )


class LiveTransport(SingleConnectionTransport):
    """A transport with one connection, which connects only to public addresses."""

    def __init__(self) -> None:
        super().__init__(_PublicBackend())


class ReplicaTransport(SingleConnectionTransport):
    """A transport that sends requests for any host to the replica server.

    The header Host is unchanged, so that the replica server knows the requested host.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__(httpcore.SyncBackend())
        self._host, self._port = address

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the replica server, and return the response."""
        request.url = request.url.copy_with(scheme="http", host=self._host, port=self._port)
        return super().handle_request(request)
