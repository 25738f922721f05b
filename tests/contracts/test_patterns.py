"""Check that patterns work alike on every Python, and that no text is cut off its statement.

Before 3.11.5, possessive repeats and atomic groups (`*+`, `?+`, `(?>...)`) resume at the wrong
position when their group fails after a repeat inside the group. Debian 12 has an affected Python.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.support.sources import Source, parse_source

_parser: Any = re._parser  # type: ignore[attr-defined]  # re has no public parser

ATOMIC = frozenset({"POSSESSIVE_REPEAT", "ATOMIC_GROUP"})
REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def patterns(source: Source) -> Iterator[str]:
    """Yield a module's texts that look like patterns with possessive repeats or atomic groups."""
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if re.search(r"[)*+?}]\+|\(\?>", text):
                yield text


def risky(pattern: str) -> bool:
    """Return whether an atomic group of a pattern can fail after a repeat inside it."""
    try:
        parsed = _parser.parse(pattern)
    except re.error:
        return False  # a text, or a part of a pattern
    atomic_values = [
        value for sequence in _sequences(parsed) for name, value in sequence if str(name) in ATOMIC
    ]
    return any(
        _fails_behind_a_repeat(sequence)
        for value in atomic_values
        for sequence in _sequences(value)
    )


def _sequences(value: object) -> Iterator[Any]:
    """Yield every sequence of a parsed pattern, including nested ones."""
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


def test_patterns_work_on_python_before_3_11_5(sources: tuple[Source, ...]) -> None:
    risky_patterns = [
        f"{source.path}: {pattern}"
        for source in sources
        for pattern in patterns(source)
        if risky(pattern)
    ]
    assert risky_patterns == []


def test_risky_patterns_are_detected() -> None:
    assert risky(r"(?:\d+[.)]\s*+)?+x")
    assert risky(r"(?:a|<p(?: class)?>)*+")
    assert risky(r"(?>(?:ab?c)+)")
    assert risky(r"(?:(?:\\r|\r)?+\n)?+")
    assert not risky(r'"(?:[^"\\]++|\\.)*+"')
    assert not risky(r"(?:\d+[.)]\s*+|(?!\d+[.)]))")
    assert not risky(r"\s*+(?:a{3}b)++")


def cut_texts(source: Source) -> Iterator[str]:
    """Yield texts on a line after `yield "..."` or a call, which no statement uses."""
    for node in source.nodes:
        body = getattr(node, "body", None)
        for before, after in pairwise(body if isinstance(body, list) else []):
            is_complete_statement = isinstance(before, ast.Expr) and isinstance(
                before.value, ast.Yield | ast.Call
            )
            if (
                is_complete_statement
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                yield f"{source.path}:{after.lineno}"


def test_no_text_is_cut_off_its_statement(sources: tuple[Source, ...]) -> None:
    code = b'def lines():\n    yield "one, "\n    "two"\n'
    assert list(cut_texts(parse_source("x.py", code))) == ["x.py:3"]
    assert [location for source in sources for location in cut_texts(source)] == []
