"""Code means what it looks like: patterns on every Python, and texts of several lines.

Before 3.11.5 a repeat that gives nothing back (`*+`, `?+`, `(?>...)`) goes on from the wrong place
when its group fails behind a repeat inside of it: Debian 12 has such a Python.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.support.sources import Source, parse_source

_parser: Any = re._parser  # type: ignore[attr-defined]  # re has no public parser

KEEPING = frozenset({"POSSESSIVE_REPEAT", "ATOMIC_GROUP"})
REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def patterns(source: Source) -> Iterator[str]:
    """Texts of a module that look like patterns of the kind in question, wherever they stand."""
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if re.search(r"[)*+?}]\+|\(\?>", text):
                yield text


def risky(pattern: str) -> bool:
    """Whether a group that gives nothing back can fail behind a repeat inside of it."""
    try:
        parsed = _parser.parse(pattern)
    except re.error:
        return False  # a text, or a part of a pattern
    atomic_values = [
        value for sequence in _sequences(parsed) for name, value in sequence if str(name) in KEEPING
    ]
    return any(
        _fails_behind_a_repeat(sequence)
        for value in atomic_values
        for sequence in _sequences(value)
    )


def _sequences(value: object) -> Iterator[Any]:
    """Every sequence of a parsed pattern, those inside of others as well."""
    if isinstance(value, _parser.SubPattern):
        yield value
        for _, inside in value:
            yield from _sequences(inside)
    elif isinstance(value, (tuple, list)):
        for element in value:
            yield from _sequences(element)


def _fails_behind_a_repeat(sequence: Any) -> bool:
    for at, (name, value) in enumerate(sequence):
        is_open = str(name) in REPEATS and value[0] != value[1]
        if is_open and sequence[at + 1 :].getwidth()[0] > 0:
            return True
    return False


def test_no_pattern_means_something_else_on_an_older_python(sources: tuple[Source, ...]) -> None:
    risky_patterns = [
        f"{source.path}: {pattern}"
        for source in sources
        for pattern in patterns(source)
        if risky(pattern)
    ]
    assert risky_patterns == []


def test_the_rule_finds_what_failed() -> None:
    assert risky(r"(?:\d+[.)]\s*+)?+x")
    assert risky(r"(?:a|<p(?: class)?>)*+")
    assert risky(r"(?>(?:ab?c)+)")
    assert risky(r"(?:(?:\\r|\r)?+\n)?+")
    assert not risky(r'"(?:[^"\\]++|\\.)*+"')
    assert not risky(r"(?:\d+[.)]\s*+|(?!\d+[.)]))")
    assert not risky(r"\s*+(?:a{3}b)++")


def cut_texts(source: Source) -> Iterator[str]:
    """Texts behind `yield "..."` and its like on a line of their own, which nothing reads."""
    for node in source.nodes:
        body = getattr(node, "body", None)
        for before, after in pairwise(body if isinstance(body, list) else []):
            is_whole = isinstance(before, ast.Expr) and isinstance(
                before.value, ast.Yield | ast.Call
            )
            if is_whole and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                yield f"{source.path}:{after.lineno}"


def test_no_text_is_cut_off_from_its_statement(sources: tuple[Source, ...]) -> None:
    code = b'def lines():\n    yield "one, "\n    "two"\n'
    assert list(cut_texts(parse_source("x.py", code))) == ["x.py:3"]
    assert [place for source in sources for place in cut_texts(source)] == []
