"""This module decides whether an IP address is on the public internet.

An IPv6 address may contain an IPv4 address, to which a gateway or this machine then connects. In
that case the IPv4 address must be public, too.
"""

import ipaddress
import socket
from collections.abc import Iterator

_V4 = ipaddress.IPv4Address
_V6 = ipaddress.IPv6Address
_GLOBAL = ipaddress.IPv6Network("2000::/3")
"""The network of all allocated public IPv6 addresses that do not contain an IPv4 address."""
_RELAY = ipaddress.IPv4Network("192.88.99.0/24")
"""The network of the former 6to4 relays, which Python wrongly counts as public."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
_CARRIERS = (
    _NAT64,
    _MAPPED,
    ipaddress.IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    ipaddress.IPv6Network("::/96"),  # IPv4-compatible
)
"""IPv6 networks in which the last 32 bits of an address are an IPv4 address."""
_PUBLIC_CARRIERS = (_NAT64, _MAPPED)
"""The networks of `_CARRIERS` that may be public; the other two are obsolete and never public."""
_LAST = 0xFFFFFFFF
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def is_public(address: str) -> bool:
    """Whether an IP address is public; a text that is no IP address is not public.

    The address may have any notation that the operating system accepts, such as decimal, octal,
    hexadecimal and short IPv4 addresses, and IPv6 addresses with a zone.
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
