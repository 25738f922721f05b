"""Decides whether an IP address, in any notation, is on the public internet.

An IPv6 address may contain an IPv4 address that a gateway or this machine unwraps; the IPv6
address is public if the IPv4 address is.
"""

import ipaddress
import socket
from collections.abc import Iterator

_V4 = ipaddress.IPv4Address
_V6 = ipaddress.IPv6Address
_GLOBAL = ipaddress.IPv6Network("2000::/3")
"""All allocated addresses; others are private, reserved or contain an IPv4 address."""
_RELAY = ipaddress.IPv4Network("192.88.99.0/24")
"""The former 6to4 relay, which Python counts as global."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
_CARRIERS = (
    _NAT64,
    _MAPPED,
    ipaddress.IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    ipaddress.IPv6Network("::/96"),  # IPv4-compatible
)
"""Networks whose last 32 bits are an IPv4 address."""
_PUBLIC_CARRIERS = (_NAT64, _MAPPED)
"""Networks whose IPv4 address may be public; the other networks are obsolete."""
_LAST = 0xFFFFFFFF
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def is_public(address: str) -> bool:
    """Whether an address is public; an address that cannot be parsed is not public.

    Accepted are dotted and colon forms, zones, and the decimal, octal, hexadecimal and short
    forms that the system resolves.
    """
    ip_address = _parse(address)
    if ip_address is None:
        return False
    if isinstance(ip_address, _V4):
        return _is_public_v4(ip_address)
    if not all(_is_public_v4(carried) for carried in _embedded_addresses(ip_address)):
        return False
    if (
        any(ip_address in network for network in _PUBLIC_CARRIERS)
        or ip_address.sixtofour
        or ip_address.teredo
    ):
        return True
    return ip_address in _GLOBAL and ip_address.is_global


def _parse(address: str) -> _V4 | _V6 | None:
    text = address.strip().strip("[]").partition("%")[0]
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        pass
    try:
        return _V4(socket.inet_aton(text))
    except (OSError, ValueError):
        return None


def _is_public_v4(address: _V4) -> bool:
    special = address.is_multicast or address.is_reserved or address in _RELAY
    return address.is_global and not special


def _embedded_addresses(address: _V6) -> Iterator[_V4]:
    number = int(address)
    if any(address in network for network in _CARRIERS):
        yield _V4(number & _LAST)
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if (number >> 32) & _LAST in _ISATAP:
        yield _V4(number & _LAST)
