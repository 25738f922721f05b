"""No value that only the system knows is given away."""

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.language.values import read_number, states
from prompts.subject import Subject, Value

SMALL = 12
"""Counts up to a dozen appear in any sentence; alone they disclose nothing."""
_ANSWERS = frozenset({"true", "false", "yes", "no", "none", "dontcare", ""})


class DisclosedValues(Check):
    """Results of earlier calls and offers of the system must not be in a user's instruction."""

    name = "disclosed_values"
    kinds = frozenset({"instruction", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """Drop a text that states a hidden value the user did not give."""
        said = " ; ".join(entry.value for entry in subject.required)
        for entry in subject.hidden:
            if _tells_something(entry) and states(subject.text, entry.value, entry.titles):
                if states(said, entry.value, entry.titles):
                    continue
                return dropped("disclosed_value", f"states {entry.name}={entry.value!r}")
        return kept(f"none of {len(subject.hidden)} hidden values stated")


def _tells_something(entry: Value) -> bool:
    number = read_number(entry.value)
    if number is not None:
        return abs(number) > SMALL
    return entry.value.strip().casefold() not in _ANSWERS


CHECK = DisclosedValues()
