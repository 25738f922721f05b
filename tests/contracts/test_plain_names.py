"""Check that few local names are vague words that could mean anything."""

import ast
from collections import Counter
from collections.abc import Iterator

from tests.support.sources import Source, parse_source

ALTERNATIVES = {
    "asked": "request, question",
    "found": "what was found: match, rows, definition",
    "given": "what was passed: values, arguments, text",
    "ident": "shortcut_id, row_id, task_id",
    "kept": "kept_rows, remaining_tasks",
    "known": "previous_row, cached_digests, definitions",
    "made": "what was made: release, texts, created_rows",
    "one": "the element's kind: file, row, step",
    "place": "path, location, index",
    "shown": "visible_rows, label, display_text",
    "told": "text, lines, phrases, counts",
    "wanted": "requested_tables, targets, expected_rows",
}
"""Words that a name must not be, each with names that say more."""
MAX_PER_THOUSAND = 5


def local_names(source: Source) -> Iterator[tuple[str, set[str]]]:
    """Yield every function's name with the names of its parameters and variables."""
    for function in source.nodes:
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes = list(ast.walk(function))
            names = {node.arg for node in nodes if isinstance(node, ast.arg)}
            stored = (node for node in nodes if isinstance(node, ast.Name))
            yield (
                function.name,
                names | {node.id for node in stored if isinstance(node.ctx, ast.Store)},
            )


def test_few_local_names_are_vague(sources: tuple[Source, ...]) -> None:
    total = 0
    vague: Counter[str] = Counter()
    for source in sources:
        for function, names in local_names(source):
            total += len(names)
            for name in names & ALTERNATIVES.keys():
                vague[f"{source.path}: {function}: {name} (better: {ALTERNATIVES[name]})"] += 1
    assert total > 10_000
    assert 1000 * vague.total() / total <= MAX_PER_THOUSAND, "\n".join(sorted(vague))


def test_names_in_nested_functions_and_comprehensions_are_counted() -> None:
    code = b"def f(given):\n    return [one for one in given if (found := one)]\n"
    assert dict(local_names(parse_source("module.py", code))) == {"f": {"given", "one", "found"}}
