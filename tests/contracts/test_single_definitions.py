"""Check that facts which several modules need are defined in one module."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.support.sources import Source

HOMES = {
    r"^is\.workflow\.actions": "benchloom/core/built_in_actions.py",
    r"^gpt-": "prompts/endpoint/limits.py",
    r"api\.openai\.com": "prompts/endpoint/limits.py",
    r"^(is in the last|begins with)$": "benchloom/core/records/conditions.py",
}
INDEPENDENT = {
    "parsers/property_lists/careful_binary.py",  # independent of the fast reader
    "benchloom/release/manifest.py",  # independent of code that writes releases
    "benchloom/normalise/redaction/values.py",  # the core must not import the parsers
}
DEFINED_IN_EVERY_MEMBER = re.compile(r"^(STAGE|SITE|RULES|name)$")


@pytest.fixture
def modules(sources: tuple[Source, ...]) -> list[Source]:
    """Return all modules except the demo's, which imitates the sites and data of other people."""
    return [source for source in sources if not source.path.startswith("demo/")]


def test_each_fact_is_in_one_module(modules: list[Source]) -> None:
    homes = {(fact, source.path) for source in modules for fact in _facts(source)}
    assert homes == set(HOMES.items())


def _facts(source: Source) -> set[str]:
    return {fact for text in source.texts() for fact in HOMES if re.search(fact, text)}


def test_texts_and_patterns_are_defined_once(modules: list[Source]) -> None:
    paths_by_text: defaultdict[str, set[str]] = defaultdict(set)
    for source in modules:
        for node in source.tree.body:
            if not isinstance(node, ast.Assign) or source.path in INDEPENDENT:
                continue
            literal = _literal(node.value)
            if literal is not None and not DEFINED_IN_EVERY_MEMBER.match(
                ast.unparse(node.targets[0])
            ):
                paths_by_text[literal].add(source.path)
    assert {literal: paths for literal, paths in paths_by_text.items() if len(paths) > 1} == {}


def _literal(value: ast.expr) -> str | None:
    """Return a pattern, or a text of at least twelve characters, as source code."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile":
        return ast.unparse(value)
    if isinstance(value, ast.Constant) and isinstance(value.value, str | bytes):
        return repr(value.value) if len(value.value) >= 12 else None
    return None


def test_shard_limit_and_endpoint_defaults_are_defined_once(
    modules: list[Source],
) -> None:
    """Signatures and options import these numbers from the modules that define them."""
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for source in modules:
        for node in source.nodes:
            for name, value in _defaults(node):
                if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                    paths[name].add(source.path)
    assert paths["MAX_SHARDS"] == {"benchloom/storage/stages.py"}
    for name in ("concurrency", "reply_timeout", "poll_seconds", "poll"):
        assert paths[name] <= {"prompts/endpoint/limits.py"}, name


def _defaults(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [*node.args.posonlyargs, *node.args.args]
        default_arguments = arguments[len(arguments) - len(node.args.defaults) :]
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
