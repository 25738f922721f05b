"""This module collects explanations of the reasons for which rows are rejected or dropped.

A package explains its reasons in its module `explanations` (see `benchloom.core.errors`). Checks,
reviews and benchmarks explain their reasons beside their code.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.errors import Explanation
from benchloom.core.kinds import UnknownMemberError, nearest

_MODULE = "explanations"
_TOP = ("parsers", "scrapers", "prompts", "benchloom")
_OTHER_PACKAGES = ("benchloom.core",)
CHECKS, REVIEW = "prompts.checks", "benchloom.release.review"
_BENCHMARKS = "benchloom.evaluate.benchmarks"


class ExplainedReason(msgspec.Struct, frozen=True, order=True):
    """A reason for leaving out rows, its meaning, and a remedy ("" if there is none).

    `package` is the package that writes the reason into tables.
    """

    reason: str
    package: str
    explanation: str
    remedy: str = ""


def explained_reasons() -> list[ExplainedReason]:
    """Return all reasons in alphabetical order, with an entry for each package that defines one."""
    return sorted(
        ExplainedReason(reason, package, *explanation)
        for package in _packages()
        for reason, explanation in _entries(package)
    )


def explain(reason: str) -> list[ExplainedReason]:
    """Return the explanations of a reason, one from each package that uses the reason.

    Raises:
        UnknownMemberError: no package has this reason; the message suggests the most similar
            reason.
    """
    word = reason.strip().lower().replace("-", "_").replace(" ", "_")
    reasons = explained_reasons()
    matches = [entry for entry in reasons if entry.reason == word]
    if not matches:
        suggestion = nearest(word, (entry.reason for entry in reasons))
        if suggestion.startswith("known:"):
            suggestion = "'benchloom reasons' lists all"
        raise UnknownMemberError(f"unknown reason '{reason}'; {suggestion}")
    return matches


def explanation_of(reason: str, packages: Sequence[str]) -> ExplainedReason | None:
    """Return the explanation of a reason from the first of `packages` that defines it."""
    for package in packages:
        for word, explanation in _entries(package):
            if word == reason:
                return ExplainedReason(reason, package, *explanation)
    return None


def _entries(package: str) -> Iterator[tuple[str, Explanation]]:
    """Yield one package's reasons with their explanations, without importing other packages."""
    if package == REVIEW:
        from benchloom.release.review import REASONS

        yield from ((reason, Explanation(text)) for reason, text in REASONS.items())
    elif package == CHECKS:
        from prompts.checks import CHECKS as CHECK_KIND

        for check in CHECK_KIND.all().values():
            yield from ((reason, Explanation(text)) for reason, text in check.explains.items())
    elif package.startswith(f"{_BENCHMARKS}."):
        benchmark = importlib.import_module(package).BENCHMARK
        for outcome, text in benchmark.outcomes.items():
            yield outcome, Explanation(f"{text[0].upper()}{text[1:]}.")
    else:
        yield from importlib.import_module(f"{package}.{_MODULE}").EXPLANATIONS.items()


def _packages() -> Iterator[str]:
    """Yield the names of all packages and subpackages that define explanations of reasons."""
    for top in _TOP:
        names = [top, *_below(top)]
        for name in names:
            path = importlib.import_module(name).__path__ if name not in _OTHER_PACKAGES else ()
            if any(module.name == _MODULE for module in pkgutil.iter_modules(path)):
                yield name
    yield from (REVIEW, CHECKS, *_below(_BENCHMARKS))


def _below(package: str) -> list[str]:
    modules = pkgutil.iter_modules(importlib.import_module(package).__path__)
    return [f"{package}.{module.name}" for module in modules if module.ispkg]
