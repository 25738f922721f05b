"""Facts that several modules need stand in one of them."""

import ast
import gc
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from benchloom.storage.code import PACKAGES

ROOT = Path(__file__).parents[2]
HOMES = {
    r"^is\.workflow\.actions": "benchloom/core/built_in_actions.py",
    r"^gpt-": "prompts/endpoint/limits.py",
    r"api\.openai\.com": "prompts/endpoint/limits.py",
    r"^(is in the last|begins with)$": "benchloom/core/records/conditions.py",
}
INDEPENDENT = {
    "parsers/property_lists/careful_binary.py",  # reads a second way what the fast one refuses
    "benchloom/release/manifest.py",  # what a release may hold is checked apart from who makes it
    "benchloom/normalise/redaction/values.py",  # the core does not know the parsers
}
TOLD_BY_THEIR_OWN_MODULE = re.compile(r"^(STAGE|SITE|RULES|name)$")


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Every module of ours, read and parsed once for all facts."""
    # Trees are many objects and no garbage: to look for some takes as long as to make them.
    gc.disable()
    try:
        return tuple(
            (path.relative_to(ROOT).as_posix(), ast.parse(path.read_bytes()))
            for package in PACKAGES
            for path in sorted((ROOT / package).rglob("*.py"))
        )
    finally:
        gc.enable()


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Every text in them, with the place of its module."""
    return tuple(
        (module_path, node.value)
        for module_path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@pytest.mark.parametrize("fact", HOMES)
def test_a_fact_stands_in_its_home_alone(fact: str) -> None:
    assert {module_path for module_path, text in texts() if re.search(fact, text)} == {HOMES[fact]}


def test_no_two_modules_define_the_same_text_or_pattern() -> None:
    paths_by_text: defaultdict[str, set[str]] = defaultdict(set)
    for module_path, tree in modules():
        for node in tree.body:
            if not isinstance(node, ast.Assign) or module_path in INDEPENDENT:
                continue
            literal = _literal(node.value)
            if literal is not None and not TOLD_BY_THEIR_OWN_MODULE.match(
                ast.unparse(node.targets[0])
            ):
                paths_by_text[literal].add(module_path)
    assert {literal: places for literal, places in paths_by_text.items() if len(places) > 1} == {}


def _literal(value: ast.expr) -> str | None:
    """A text of twelve characters or more, or a pattern."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile":
        return ast.unparse(value)
    if isinstance(value, ast.Constant) and isinstance(value.value, str | bytes):
        return repr(value.value) if len(value.value) >= 12 else None
    return None


def test_the_most_shards_and_the_defaults_of_an_endpoint_are_numbers_once() -> None:
    """Signatures and options take them from their home."""
    numbers = {
        (module_path, keyword)
        for module_path, tree in modules()
        for node in ast.walk(tree)
        for keyword, value in _defaults(node)
        if isinstance(value, ast.Constant) and isinstance(value.value, int | float)
    }
    assert {module_path for module_path, name in numbers if name == "MAX_SHARDS"} == {
        "benchloom/storage/stages.py"
    }
    for name in ("concurrency", "reply_timeout", "poll_seconds", "poll"):
        assert {module_path for module_path, constant_name in numbers if constant_name == name} <= {
            "prompts/endpoint/limits.py"
        }, name


def _defaults(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        default_arguments = node.args.args[len(node.args.args) - len(node.args.defaults) :]
        pairs = [
            *zip(default_arguments, node.args.defaults, strict=True),
            *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
        ]
        for argument, value in pairs:
            if value is not None:
                yield argument.arg, value
    elif isinstance(node, ast.Assign):
        yield ast.unparse(node.targets[0]), node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield ast.unparse(node.target), node.value
