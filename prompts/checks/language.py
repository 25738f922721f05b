"""Check that the text is English."""

from benchloom.normalise.shortcuts.languages import english_confidence
from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import LEAST_CONFIDENCE, quotations_of
from prompts.subject import Subject

LEAST_IN_NAMES = 0.0005
"""Minimum probability of English for a name. English names of two or three words reach 0.0008."""


def examine(subject: Subject) -> Finding:
    """Drops texts that the classifier py3langid does not take for English.

    It chooses among the languages in which people publish shortcuts.
    """
    text = subject.without_values()
    for quotation in quotations_of(text):
        if any(quotation in source for source in subject.sources):
            text = text.replace(quotation, " ")
    if not any(map(str.isalpha, text)):
        return dropped("not_english", "no letters")
    name = text.partition(": ")[0].lower() if subject.kind == "category" else ""
    if name and english_confidence(name) < LEAST_IN_NAMES:
        return dropped("not_english", f"the name {name!r} is not English")
    confidence = english_confidence(text)
    if confidence < LEAST_CONFIDENCE:
        return dropped("not_english", f"English with a confidence of {confidence:.3f}")
    return passing(f"English with a confidence of {confidence:.2f}")


CHECK = Check(
    name="language",
    kinds=frozenset({"query", "instruction", "category", "nested", "dialogue"}),
    explains={"not_english": "The text is not English."},
    examine=examine,
)
