"""The text asks for a result; it does not dictate the steps of the solution."""

import re

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.subject import Subject

_LIST = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*\u2022])\s+\S", re.MULTILINE)
_STEP = re.compile(r"\bstep (?:\d|one|two|three)", re.IGNORECASE)
_MARKERS = re.compile(
    r"\b(first(?:ly)?|second(?:ly)?|third(?:ly)?|next|then|after that|afterwards|finally|lastly)"
    r"\b(?=,| you| it| the| get| set| call| run| use| ask| show| take)",
    re.IGNORECASE,
)
# Bounded runs: a text of one endless word must not take quadratic time.
_IDENTIFIER = re.compile(
    r"\bis\.workflow\.[\w.]{1,80}|\bWF[A-Z]\w{1,60}|\bcom\.\w{1,40}\.[\w.]{1,80}|"
    r"\b[a-z]{1,40}[A-Z]\w{0,40}\(|\b\w{1,40}_\w{1,40}\("
)
MOST_MARKERS = 2


class StepListing(Check):
    """Lists, numbered steps, chains of "first, then, finally", and identifiers of actions."""

    name = "step_listing"
    kinds = frozenset({"query", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """Drop a text that gives the plan away instead of the wish."""
        values = " ".join(entry.value for entry in subject.required)
        identifier = _IDENTIFIER.search(subject.text)
        if identifier is not None and identifier.group() not in values:
            return dropped("names_action", f"names {identifier.group()!r}")
        if len(_LIST.findall(subject.text)) > 1 or _STEP.search(subject.text):
            return dropped("lists_steps", "a list of steps")
        markers = _MARKERS.findall(subject.text)
        if len(markers) > MOST_MARKERS:
            return dropped("lists_steps", f"says {', '.join(markers)}")
        return kept("asks for a result")


CHECK = StepListing()
