"""IP and hardware addresses.

Loopback, netmasks, public resolvers and the addresses of manuals identify no person and stay.
"""

import re
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

from benchloom.normalise.redaction.finders import Span, TextFinder, matches, parts_near

_V4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_VERSION_BEFORE = re.compile(
    r"(?i)(?:[a-z]/|\bv(?:er)?\.?|version|release|build|ios|macos)[\s\":=]{0,4}$"
)
_V6 = re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:.])")
_HARDWARE = re.compile(
    r"(?<![\w:-])[0-9A-Fa-f]{2}(?:(:|-)[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![\w:-])"
)
_DOTTED = r"\.(?<=\d\.)\d{1,3}\.\d{1,3}\.\d"
_COLONS = r":[0-9A-Fa-f]{0,4}:"
_DASHES = r"-(?<=[0-9A-Fa-f]-)[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-"
"""Parts of addresses; each begins with a sign that the search can skip to."""
_V4_MARK, _V6_MARK = re.compile(_DOTTED), re.compile(_COLONS)
_HARDWARE_MARK = re.compile(f"{_COLONS}|{_DASHES}")
_REACH = 48
_RESOLVERS = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "1.2.3.4",
                        "10.0.0.1", "192.168.0.1", "192.168.1.1", "192.168.1.100"})  # fmt: skip
_PUBLIC = tuple(
    IPv4Network(network)
    for network in (
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",
        "142.250.0.0/15", "172.217.0.0/16", "216.58.192.0/19",
    )
)  # fmt: skip
"""Addresses reserved for examples, and servers that examples often name."""

_EXAMPLES = IPv6Network("2001:db8::/32")


def _find(text: str) -> Iterable[Span]:
    for match in matches(_V4, text, parts_near(_V4_MARK, text, _REACH)):
        before = text[max(0, match.start() - 14) : match.start()]
        if _identifies(match[0]) and not (
            _VERSION_BEFORE.search(before) and not before.endswith("//")
        ):
            yield Span(match.start(), match.end(), "ip_address")
    for match in matches(_V6, text, parts_near(_V6_MARK, text, _REACH)):
        if _identifies_v6(match[0]):
            yield Span(match.start(), match.end(), "ip_address")
    for match in matches(_HARDWARE, text, parts_near(_HARDWARE_MARK, text, _REACH)):
        yield Span(match.start(), match.end(), "hardware_address")


def _identifies(written: str) -> bool:
    try:
        address = IPv4Address(written)
    except AddressValueError:
        return False
    first = int(written.split(".", 1)[0])
    # Four-part versions mostly start with a zero, or end in two of them.
    if written.endswith(".0.0") or first == 0 or first >= 224:
        return False
    if any(address in network for network in _PUBLIC):
        return False
    return not address.is_loopback and written not in _RESOLVERS


def _identifies_v6(written: str) -> bool:
    if written.count(":") < 7 and "::" not in written:
        return False
    try:
        address = IPv6Address(written)
    except AddressValueError:
        return False
    if (
        address in _EXAMPLES
        or address.is_loopback
        or address.is_unspecified
        or address.is_multicast
    ):
        return False
    return len(written.replace(":", "")) >= 8


FINDER = TextFinder(
    kinds=("ip_address", "hardware_address"),
    hint=re.compile(f"{_DOTTED}|{_COLONS}|{_DASHES}"),
    find=_find,
)
