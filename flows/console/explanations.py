"""Find what every reason means: packages explain theirs, and checks and reviews explain their own.

A package explains its reasons in its module `explanations`; see `benchloom.core.explanations`.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.explanations import Explanation
from benchloom.core.kinds import UnknownMemberError, nearest

_MODULE = "explanations"
_TOP = ("parsers", "scrapers", "prompts", "benchloom")
_APART = ("benchloom.core",)
CHECKS, REVIEW = "prompts.checks", "benchloom.review"


class ExplainedReason(msgspec.Struct, frozen=True, order=True):
    """A reason, the package that stores it, its meaning and a remedy ("" if there is none)."""

    reason: str
    package: str
    explanation: str
    remedy: str = ""


def explained_reasons() -> list[ExplainedReason]:
    """Return all reasons, sorted; a word that two packages store has an entry for each."""
    return sorted(
        ExplainedReason(reason, package, *explanation)
        for package, entries in _explained()
        for reason, explanation in entries
    )


def explain(reason: str) -> list[ExplainedReason]:
    """Return the meanings of one reason.

    Raises:
        UnknownMemberError: there is no such reason; the message names the nearest one.
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
    """Return the meaning of a reason in the first of the packages that stores it."""
    matches = {entry.package: entry for entry in explained_reasons() if entry.reason == reason}
    return next((matches[package] for package in packages if package in matches), None)


def _explained() -> Iterator[tuple[str, list[tuple[str, Explanation]]]]:
    for package in _packages():
        entries = importlib.import_module(f"{package}.{_MODULE}").EXPLANATIONS
        yield package, list(entries.items())
    from benchloom.review import REASONS
    from prompts.checks import CHECKS as CHECK_KIND

    yield REVIEW, [(reason, Explanation(text)) for reason, text in REASONS.items()]
    for check in CHECK_KIND.all().values():
        yield CHECKS, [(reason, Explanation(text)) for reason, text in check.explains]


def _packages() -> Iterator[str]:
    """Yield the packages, and packages in them, that have a module of explanations."""
    for top in _TOP:
        modules = list(pkgutil.iter_modules(importlib.import_module(top).__path__))
        names = [top, *(f"{top}.{module.name}" for module in modules if module.ispkg)]
        for name in names:
            path = importlib.import_module(name).__path__ if name not in _APART else ()
            if any(module.name == _MODULE for module in pkgutil.iter_modules(path)):
                yield name
