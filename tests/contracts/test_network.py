"""Rooms without a network import nothing that reaches one, the standard library included.

Import-linter holds the same for packages of others; it cannot tell `urllib.request` from
`urllib.parse`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
SPEAKING = ("benchloom/release/publishing/", "benchloom/worlds/serving/")
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


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", QUIET)
def test_a_quiet_room_reaches_no_network(room: str) -> None:
    paths = [
        path
        for path in sorted([*(ROOT / room).rglob("*.py"), *ROOT.glob(room)])
        if path.is_file() and not any(name in path.as_posix() for name in SPEAKING)
    ]
    assert paths
    network_imports = {
        path.relative_to(ROOT).as_posix(): name
        for path in paths
        for name in imported(path)
        if any(name == module or name.startswith(f"{module}.") for module in REACHING)
    }
    assert network_imports == {}


def test_what_reaches_a_network_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f():\n    from urllib import request\n    import http.client as c\n")
    assert {"urllib.request", "http.client"} <= set(imported(path))
