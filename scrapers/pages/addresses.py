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


def is_plain_address(address: str) -> bool:
    """Whether a web address names no user and no port but its scheme's own."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    own = {"http": 80, "https": 443}.get(parts.scheme)
    return own is not None and port in {None, own} and "@" not in parts.netloc


def host_of(address: str) -> str | None:
    """The host of an address in lower case, None where it has none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
