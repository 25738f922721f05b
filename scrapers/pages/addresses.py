"""Functions that join and check web addresses from untrusted pages."""

from urllib.parse import urljoin, urlsplit


def join_address(base: str, target: str | None) -> str | None:
    """Return a link on the page `base` as an absolute web address, or None if it cannot be one."""
    if not target or target.startswith(("#", "javascript:", "mailto:", "data:")):
        return None
    try:
        joined = urljoin(base, target.strip())
        parts = urlsplit(joined)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return joined if parts.scheme in {"http", "https"} and has_host else None


def is_plain_address(address: str) -> bool:
    """Whether a web address has no user name, and no port other than the default port."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    default_port = {"http": 80, "https": 443}.get(parts.scheme)
    return default_port is not None and port in {None, default_port} and "@" not in parts.netloc


def host_of(address: str) -> str | None:
    """Return the host of an address in lower case, or None if the address has no host."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
