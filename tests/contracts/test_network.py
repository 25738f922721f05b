"""Check that packages that work offline import no module that opens connections.

Import-linter checks third-party packages in the same way, but it cannot distinguish
`urllib.request` from `urllib.parse`.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.support.sources import Source, parse_source

OFFLINE = (
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
ONLINE_PARTS = ("benchloom/release/publication/", "benchloom/worlds/servers/")
NETWORK_MODULES = (
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


def imported_names(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", OFFLINE)
def test_offline_package_imports_no_network_module(
    package: str, sources: tuple[Source, ...]
) -> None:
    offline_sources = [
        source
        for source in sources
        if source.path == package
        or (source.path.startswith(f"{package}/") and not source.path.startswith(ONLINE_PARTS))
    ]
    assert offline_sources
    network_imports = {
        source.path: name
        for source in offline_sources
        for name in imported_names(source)
        if any(name == module or name.startswith(f"{module}.") for module in NETWORK_MODULES)
    }
    assert network_imports == {}


def test_imports_inside_functions_are_found() -> None:
    code = b"def f():\n    from urllib import request\n    import http.client as c\n"
    assert {"urllib.request", "http.client"} <= set(imported_names(parse_source("module.py", code)))
