"""Find IP addresses of the internet, and hardware addresses.

Addresses of private networks, loopback, netmasks, public resolvers and the addresses of manuals
identify no person and are not replaced. A link-local address that contains a hardware address is
replaced.
"""

import re
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address

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
"""`_DOTTED`, `_COLONS` and `_DASHES` match parts of addresses. Each begins with a sign, to which
the search can skip."""
_V4_MARK, _V6_MARK = re.compile(_DOTTED), re.compile(_COLONS)
_HARDWARE_MARK = re.compile(f"{_COLONS}|{_DASHES}")
_REACH = 48
_RESOLVERS = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "149.112.112.112",
                        "208.67.222.222", "208.67.220.220", "114.114.114.114", "223.5.5.5",
                        "119.29.29.29", "1.2.3.4", "2001:4860:4860::8888", "2001:4860:4860::8844",
                        "2606:4700:4700::1111", "2606:4700:4700::1001"})  # fmt: skip
_PUBLIC = tuple(
    IPv4Network(network) for network in ("142.250.0.0/15", "172.217.0.0/16", "216.58.192.0/19")
)
"""Networks of public servers that examples often name."""


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
    return address.is_global and written not in _RESOLVERS


def _identifies_v6(written: str) -> bool:
    if written.count(":") < 7 and "::" not in written:
        return False
    try:
        address = IPv6Address(written)
    except AddressValueError:
        return False
    has_hardware_address = address.packed[11:13] == b"\xff\xfe"
    is_public = address.is_multicast or written.lower() in _RESOLVERS
    return (address.is_global and not is_public) or has_hardware_address


FINDER = TextFinder(
    kinds=("ip_address", "hardware_address"),
    hint=re.compile(f"{_DOTTED}|{_COLONS}|{_DASHES}"),
    find=_find,
)
