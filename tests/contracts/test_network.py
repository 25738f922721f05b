"""Rooms without a network import nothing that reaches one, the standard library included.

Import-linter holds the same for packages of others; it cannot tell `urllib.request` from
`urllib.parse`.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.support.sources import Source, parse_source

QUIET = (
    "benchloom",
    "parsers",
    "prompts/checks",
    "prompts/inputs",
    "prompts/language",
    "prompts/ledger",
    "prompts/steps",
    "prompts/tools",
    "scrapers/captures",
    "scrapers/icloud.py",
    "scrapers/pages",
    "scrapers/sites",
)
SPEAKING = ("benchloom/release/publication/", "benchloom/worlds/servers/")
REACHING = (
    "asyncio.streams",
    "ftplib",
    "http.client",
    "http.server",
    "imaplib",
    "poplib",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "urllib.request",
    "xmlrpc",
)


def imported(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", QUIET)
def test_a_quiet_room_reaches_no_network(room: str, sources: tuple[Source, ...]) -> None:
    quiet = [
        source
        for source in sources
        if source.path == room
        or (source.path.startswith(f"{room}/") and not source.path.startswith(SPEAKING))
    ]
    assert quiet
    network_imports = {
        source.path: name
        for source in quiet
        for name in imported(source)
        if any(name == module or name.startswith(f"{module}.") for module in REACHING)
    }
    assert network_imports == {}


def test_what_reaches_a_network_is_seen() -> None:
    code = b"def f():\n    from urllib import request\n    import http.client as c\n"
    assert {"urllib.request", "http.client"} <= set(imported(parse_source("module.py", code)))
