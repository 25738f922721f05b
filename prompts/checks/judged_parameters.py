"""Check that a request states the values judged stated, and none of those judged absent."""

from prompts.checks.base import Check, Finding, dropped, passing
from prompts.language.saying import says
from prompts.language.values import read_number
from prompts.subject import Subject, Value

SMALL = 12
"""Counts up to a dozen appear in any sentence; one that was judged absent may be another."""


class JudgedParameters(Check):
    """Checks judgements: `required` values must be stated, `hidden` values absent."""

    name = "judged_parameters"
    kinds = frozenset({"parameters"})
    explains = (
        ("false_stated", "A parameter is marked as stated, and the text does not state it."),
        ("missed_stated", "The text states a parameter that is marked as not stated."),
    )

    def examine(self, subject: Subject) -> Finding:
        """Drop judgements that the words of the request contradict."""
        for entry in subject.required:
            if not says(subject.text, entry):
                return dropped("false_stated", f"{entry.name}={entry.value!r} is not stated")
        for entry in subject.hidden:
            if _distinctive(entry) and says(subject.text, entry):
                return dropped("missed_stated", f"{entry.name}={entry.value!r} is stated")
        return passing(f"{len(subject.required)} stated, {len(subject.hidden)} absent")


def _distinctive(entry: Value) -> bool:
    number = read_number(entry.value)
    if number is not None:
        return abs(number) > SMALL
    return len(entry.value.strip()) > 2 and entry.value.strip().casefold() not in {"true", "false"}


CHECK = JudgedParameters()
