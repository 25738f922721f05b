"""Limits the total time of a request.

httpx limits each single read; here every read, write and handshake must also end before the
request's deadline, so that many of these operations together cannot take longer.
"""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore


class Deadline:
    """The time by which the current request must be finished."""

    def __init__(self) -> None:
        self._end = float("inf")

    def start(self, seconds: float) -> None:
        """Set the deadline for a new request to this many seconds from now."""
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self._end

    def within(self, timeout: float | None) -> float | None:
        """Return the time a single operation may take: `timeout` or the remaining time."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the request takes too long in all")
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


class TimedBackend(httpcore.NetworkBackend):
    """Opens connections through another backend and applies the deadline to them."""

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
        """Return a connection to which the deadline applies."""
        left = self._deadline.within(timeout)
        stream = self._backend.connect_tcp(host, port, left, local_address, socket_options)
        return _TimedStream(stream, self._deadline)
