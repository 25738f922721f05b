"""This module describes errors of storage clients in short messages, without keys and addresses."""

import errno
import os
from collections.abc import Iterator

_HERE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.ENAMETOOLONG})
_REFUSED = frozenset({401, 403, 407})
_GONE = frozenset({404, 410})
_NO_CREDENTIALS = (
    "no credentials; set those of the store in the environment, such as AWS_ACCESS_KEY_ID and "
    "AWS_SECRET_ACCESS_KEY"
)
_BY_NAME: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"NoCredentialsError", "PartialCredentialsError"}), _NO_CREDENTIALS),
    (
        frozenset({"ClientPayloadError", "IncompleteRead", "IncompleteReadError"}),
        "the response ended early, so fewer bytes arrived than announced",
    ),
    (
        frozenset({"ConnectTimeoutError", "ReadTimeoutError", "FSTimeoutError", "TimeoutError"}),
        "no response in time",
    ),
    (
        frozenset(
            {
                "ClientConnectorError",
                "ClientConnectionError",
                "ConnectionError",
                "EndpointConnectionError",
                "HTTPClientError",
                "gaierror",
            }
        ),
        "cannot be reached; check the address and the network",
    ),
    (frozenset({"PermissionError", "AuthenticationException"}), "access refused"),
    (
        frozenset({"FileNotFoundError", "NoSuchBucket", "EntryNotFoundError"}),
        "no such bucket, file or folder",
    ),
)
_SECRET = ("_KEY", "_KEY_ID", "_PASSWORD", "_SECRET", "_TOKEN")
_LONGEST = 200


def local_fault(error: BaseException) -> str | None:
    """Return why this machine could not write a file, or None if the error has another cause."""
    for cause in _chain(error):
        if isinstance(cause, OSError) and cause.errno in _HERE:
            return os.strerror(cause.errno)
    return None


def reason_of(error: BaseException) -> str:
    """Return a message that says why a server returned no data."""
    chain = list(_chain(error))
    # The deepest cause says most: fsspec reports a refused connection as a missing file.
    for cause in reversed(chain):
        status = getattr(cause, "status", None)
        if isinstance(status, int) and status >= 400:
            return _by_status(status)
        names = {kind.__name__ for kind in type(cause).__mro__}
        for class_names, reason in _BY_NAME:
            if names & class_names:
                return reason
    return f"{type(error).__name__}: {_without_secrets(str(error))}"


def _by_status(status: int) -> str:
    if status in _REFUSED:
        return f"access refused (HTTP {status})"
    if status in _GONE:
        return f"no such file (HTTP {status})"
    return f"the server returned HTTP {status}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    visited: set[int] = set()
    while error is not None and id(error) not in visited:
        visited.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _without_secrets(text: str) -> str:
    for name, value in os.environ.items():
        if name.endswith(_SECRET) and len(value) > 3:
            text = text.replace(value, "...")
    words = [word.partition("?")[0] if "://" in word else word for word in text.split()]
    line = " ".join(words)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
