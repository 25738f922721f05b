"""Check that a request states the values judged stated, and none of those judged absent."""

from prompts.checks.base import Check, Finding, dropped, passing
from prompts.language.saying import says
from prompts.language.values import read_number
from prompts.subject import Subject, Value

SMALL = 12
"""Counts up to a dozen appear in any sentence; one that was judged absent may be another."""
_SWITCHES = frozenset({"true", "false"})


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
        stated = {entry.value for entry in subject.required}
        for entry in subject.hidden:
            # Words for the same value of another parameter say nothing about this one.
            if entry.value not in stated and _is_stated(subject.text, entry):
                return dropped("missed_stated", f"{entry.name}={entry.value!r} is stated")
        return passing(f"{len(subject.required)} stated, {len(subject.hidden)} absent")


def _is_stated(text: str, entry: Value) -> bool:
    """Whether a text states a value that tells something, or a small count with its unit."""
    number = read_number(entry.value)
    if number is not None and abs(number) <= SMALL:
        titles = [title for title in entry.titles if read_number(title) is None]
        return any(says(text, Value(title)) for title in titles)
    short = len(entry.value.strip()) <= 2
    return not short and entry.value.strip().casefold() not in _SWITCHES and says(text, entry)


CHECK = JudgedParameters()
