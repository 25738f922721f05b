"""Check that the text contains every value that it must state, in any way people write it."""

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.statements import says
from prompts.subject import Subject, Value


def examine(subject: Subject) -> Finding:
    """Drops texts that lack a required value; numbers, dates and enum titles match by meaning."""
    missing = missing_values(subject)
    if missing:
        values_text = ", ".join(f"{entry.name}={entry.value!r}" for entry in missing)
        return dropped("missing_value", f"{len(missing)} not stated: {values_text}")
    return passing(f"{len(subject.required)} required values stated")


def missing_values(subject: Subject) -> tuple[Value, ...]:
    """Return the required values that a text does not state."""
    return tuple(entry for entry in subject.required if not says(subject.text, entry))


CHECK = Check(
    name="required_values",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={"missing_value": "The text does not state a value that the calls need."},
    examine=examine,
)
