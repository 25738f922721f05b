"""Joining addresses that strangers wrote."""

from urllib.parse import urljoin, urlsplit


def join_address(base: str, target: str | None) -> str | None:
    """`target` as an absolute web address; None for anything else and for damaged ones."""
    if not target or target.startswith(("#", "javascript:", "mailto:", "data:")):
        return None
    try:
        joined = urljoin(base, target.strip())
        parts = urlsplit(joined)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return joined if parts.scheme in {"http", "https"} and named else None


def host_of(address: str) -> str | None:
    """The host of an address in lower case, None where it has none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
