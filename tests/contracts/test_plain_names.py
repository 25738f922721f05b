"""Local names say what they are: few of them are words that could be anything."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("benchloom", "demo", "flows", "parsers", "prompts", "scrapers")
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


def local_names(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """The names of the parameters and variables of every function."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            names = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
            names |= {
                node.id
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
            yield function.name, names


def test_few_local_names_are_words_that_could_be_anything() -> None:
    total = 0
    vague: Counter[str] = Counter()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for function, names in local_names(ast.parse(path.read_text())):
                total += len(names)
                for name in names & ALTERNATIVES.keys():
                    where = f"{path.relative_to(ROOT).as_posix()}: {function}: {name}"
                    vague[f"{where} (better: {ALTERNATIVES[name]})"] += 1
    assert total > 10_000
    assert 1000 * vague.total() / total <= MAX_PER_THOUSAND, "\n".join(sorted(vague))


def test_names_of_nested_functions_and_comprehensions_count() -> None:
    source = "def f(given):\n    return [one for one in given if (found := one)]\n"
    assert dict(local_names(ast.parse(source))) == {"f": {"given", "one", "found"}}
