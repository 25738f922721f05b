"""Control the access to a server, so that no web page in a local browser can use the server.

A web page can send requests to a server on this machine. Its requests contain the origin of the
page and, after DNS rebinding, an unknown host name. They do not contain the server's secret token.
"""

import base64
import binascii
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

import msgspec

from benchloom.core.errors import RunError

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = (LOOPBACK, "localhost", "::1")
"""The host names of the loopback interface."""
SHORTEST_TOKEN = 16


class Access(msgspec.Struct, frozen=True):
    """The access rules of a server that listens at `host`; `token` is "" if requests need none."""

    host: str = LOOPBACK
    token: str = ""

    def refusal(self, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Return the HTTP status and reason with which to refuse a request, or None to allow it.

        The names in `headers` are in lower case.
        """
        host = host_of(headers.get("host", ""))
        if not self._is_name(host):
            return 421, "unknown host name: use the address that the server printed"
        if not self.is_own_origin(headers):
            return 403, "requests from web pages of other origins are refused"
        if self.token and not is_same(token_of(headers), self.token):
            return 401, "the token is missing or wrong: send 'Authorization: Bearer TOKEN'"
        return None

    def is_own_origin(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from a page of this machine, or from no web page at all."""
        origin = headers.get("origin")
        if origin is not None:
            scheme, _, address = origin.partition("://")
            if scheme not in {"http", "https"} or not self._is_name(host_of(address)):
                return False
        return headers.get("sec-fetch-site") != "cross-site"

    def _is_name(self, name: str) -> bool:
        if name in LOOPBACK_NAMES or (name and name == self.host):
            return True
        # An IP address cannot be the result of DNS rebinding.
        return not is_loopback(self.host) and (
            _address_of(name) is not None or name in _own_names()
        )


LOCAL = Access()
"""The access rules of a server that only this machine can reach, without a token."""


def access_for(host: str, token: str) -> Access:
    """Return the access rules for a listening address.

    If other machines can reach the address and no token is passed, a token is generated.

    Raises:
        RunError: the token is too short to be secret.
    """
    if token and len(token) < SHORTEST_TOKEN:
        raise RunError(
            f"the token has {len(token)} characters; pass at least {SHORTEST_TOKEN}, "
            "or omit it to have one generated"
        )
    if not token and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    return Access(host, token)


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    address = _address_of(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def host_of(text: str) -> str:
    """Return the host name in a Host header, in lower case and without its port, or ""."""
    try:
        return (urlsplit(f"//{text}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def token_of(headers: Mapping[str, str]) -> str:
    """Return the token of a request: a bearer token, the password of a URL, or an API key.

    Clients that cannot send a bearer token use `http://x:TOKEN@host` or `X-API-Key`.
    """
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        with suppress(binascii.Error, UnicodeDecodeError):
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
    return headers.get("x-api-key", "")


def is_same(client_token: str, token: str) -> bool:
    """Compare two tokens in constant time, so that the duration does not reveal the token."""
    return hmac.compare_digest(client_token.encode("utf-8", "replace"), token.encode())


def headers_of(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return a mapping from header names in lower case to values; repeated headers are joined."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _address_of(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


@cache
def _own_names() -> frozenset[str]:
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})
