"""Check that every reason in the source is explained and every explained reason is in it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from benchloom.evaluate.benchmarks import BENCHMARKS
from flows.console.explanations import CHECKS, REVIEW, explain, explained_reasons
from tests.support.commands import benchloom
from tests.support.sources import Source

SKIPPED_PATHS = ("demo/", "flows/explorer/", "flows/console/explanations.py")
"""Path prefixes to skip: the demo, the explorer and the explanations store no reasons in rows."""
REASON_IS_SECOND = {"FetchError", "TransientError"}
"""Errors whose second argument is the reason, after the address."""
STORING_CALLS = {"dropped", "Violation", "Finding"}
ROOT_ERRORS = {"RejectedInputError"}


def _constants(modules: list[Source]) -> dict[str, set[str]]:
    """Return the string values of module-level constants, by constant name."""
    constants: dict[str, set[str]] = {}
    for source in modules:
        for node in source.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                for target in node.targets:
                    if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                        constants.setdefault(target.id, set()).add(node.value.value)
    return constants


def _error_classes(modules: list[Source]) -> set[str]:
    classes = set(ROOT_ERRORS)
    nodes = (node for source in modules for node in source.nodes)
    class_nodes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    previous_count = 0
    while previous_count != len(classes):
        previous_count = len(classes)
        for node in class_nodes:
            if any(isinstance(base, ast.Name) and base.id in classes for base in node.bases):
                classes.add(node.name)
    return classes


def _string_values(node: ast.expr, constants: dict[str, set[str]]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _string_values(node.body, constants)
        yield from _string_values(node.orelse, constants)
    elif isinstance(node, ast.Name) and node.id.isupper():
        yield from constants.get(node.id, ())


def _stored_reasons(modules: list[Source]) -> dict[str, str]:
    """Return every reason that a call in the source stores, with the file of the call."""
    constants, errors = _constants(modules), _error_classes(modules)
    reasons: dict[str, str] = {}
    for source in modules:
        for node in source.nodes:
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            callee = node.func.id
            reason_position = 2 if callee == "Rejected" else 1 if callee in REASON_IS_SECOND else 0
            if callee in {*errors, *STORING_CALLS, "Rejected"} and len(node.args) > reason_position:
                for word in _string_values(node.args[reason_position], constants):
                    if word.isidentifier() and word.islower():
                        reasons.setdefault(word, source.path)
    return reasons


@pytest.fixture
def modules(sources: tuple[Source, ...]) -> list[Source]:
    return [source for source in sources if not source.path.startswith(SKIPPED_PATHS)]


def test_every_reason_in_the_source_is_explained(modules: list[Source]) -> None:
    explained = {entry.reason for entry in explained_reasons()}
    stored = _stored_reasons(modules)
    assert len(stored) > 120
    assert {word: name for word, name in stored.items() if word not in explained} == {}


def test_every_plan_selection_reason_is_explained(sources: tuple[Source, ...]) -> None:
    function_names = {"objection", "_choose_set"}
    path = "benchloom/normalise/plans/selection.py"
    (selection,) = (source for source in sources if source.path == path)
    words = {
        node.value
        for function in selection.nodes
        if isinstance(function, ast.FunctionDef) and function.name in function_names
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    reasons = {word for word in words if word.isidentifier() and word.islower()}
    assert len(reasons) == 7
    assert reasons <= {entry.reason for entry in explained_reasons()}


def test_every_score_outcome_is_explained() -> None:
    explained = {entry.reason: entry for entry in explained_reasons()}
    outcomes = {word for benchmark in BENCHMARKS.all().values() for word in benchmark.outcomes}
    assert outcomes <= explained.keys()


def test_every_explained_reason_is_in_the_source(modules: list[Source]) -> None:
    literals = {text for source in modules for text in source.texts()}
    app_reasons = {f"{word}_app" for word in ("paid", "legacy", "unavailable")}
    record_reasons = {"nsfw"}
    words = {entry.reason for entry in explained_reasons()}
    assert words - literals - app_reasons - record_reasons == set()


def test_checks_explain_exactly_their_stored_reasons(modules: list[Source]) -> None:
    check_sources = [source for source in modules if source.path.startswith("prompts/checks/")]
    check_reasons = {entry.reason for entry in explained_reasons() if entry.package == CHECKS}
    assert set(_stored_reasons(check_sources)) == check_reasons


def test_every_reason_in_the_demo_is_explained(demo_release: Path) -> None:
    explained = {entry.reason for entry in explained_reasons()}
    rejected = pd.read_parquet(demo_release / "rejected").reason
    verdicts = pd.read_parquet(demo_release / "verdicts").reason
    evaluation = pd.read_parquet(demo_release / "shortcuts").evaluation_reasons.explode().dropna()
    assert {*rejected, *verdicts, *evaluation} - explained == {"ok"}


def test_every_explanation_is_one_plain_sentence() -> None:
    for entry in explained_reasons():
        assert entry.explanation[0].isupper(), entry
        assert entry.explanation.endswith("."), entry
        assert entry.explanation.count(". ") == 0 or entry.package == REVIEW, entry
        assert len(entry.explanation) <= 120, entry


def test_unknown_reason_suggests_the_nearest() -> None:
    assert [entry.reason for entry in explain("duplicate-renamed")] == ["duplicate_renamed"]
    misspelt_result = benchloom("reasons", "duplicate_renamd")
    assert misspelt_result.returncode == 2
    assert "did you mean 'duplicate_renamed'?" in misspelt_result.stderr
    unknown_result = benchloom("reasons", "zebra")
    assert unknown_result.returncode == 2
    assert "'benchloom reasons' lists all" in unknown_result.stderr
    assert '"reason":"too_long"' in benchloom("reasons", "too_long", "--json").stdout
