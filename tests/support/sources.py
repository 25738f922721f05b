"""The modules of the product, parsed once for all tests that read them."""

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchloom.storage.code import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """A module with its path below the root, its syntax tree, and every node of the tree."""

    path: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]

    def texts(self) -> Iterator[str]:
        """Yield every text literal of the module."""
        for node in self.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def parse_source(path: str, code: bytes) -> Source:
    tree = ast.parse(code)
    return Source(path, tree, tuple(ast.walk(tree)))


@pytest.fixture(scope="session")
def sources() -> tuple[Source, ...]:
    """Return every module of the packages and of the demo."""
    # Parsing makes a million nodes and no garbage; collection would take as long as the parsing.
    gc.disable()
    try:
        return tuple(
            parse_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
            for package in (*PACKAGES, "demo")
            for path in sorted((ROOT / package).rglob("*.py"))
        )
    finally:
        gc.freeze()
        gc.enable()
