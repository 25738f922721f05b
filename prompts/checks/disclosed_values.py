"""Check that the text does not contain values that the user cannot know before the calls run."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.statements import says
from prompts.language.words import POINTLESS, plain, read_number, stem, title_words
from prompts.subject import Subject, Value

SMALL = 12
"""Numbers up to this one appear in any sentence, so alone they disclose nothing."""
_ANSWERS = frozenset({"true", "false", "yes", "no", "none", "dontcare", ""})
_NAME = re.compile(r"(?<=[^.!?\s] )[A-Z][\w'\u2019-]*")
LEAST_LETTERS = 3


def examine(subject: Subject) -> Finding:
    """Drops an instruction that contains results of the plan's calls, whole or in part."""
    said = " ; ".join(entry.value for entry in subject.required)
    for entry in subject.hidden:
        if not _is_informative(entry) or says(said, entry):
            continue
        if says(subject.text, entry):
            return dropped("disclosed_value", f"states {entry.name}={entry.value!r}")
    part = _part_of_hidden(subject)
    if part is not None:
        return dropped("disclosed_value", f"states a part of a result: {part!r}")
    return passing(f"none of {len(subject.hidden)} hidden values stated")


def _part_of_hidden(subject: Subject) -> str | None:
    """Return the first name in the text that occurs only in results of calls, or None."""
    hidden = {
        word
        for entry in subject.hidden
        if read_number(entry.value) is None
        for word in plain(entry.value).split()
        if len(word) >= LEAST_LETTERS and not word.isdigit()
    }
    if not hidden:
        return None
    open_texts = (
        *(text for v in subject.required for text in (v.value, v.label, v.about, v.name)),
        *(text for call in subject.calls for text in call.words),
    )
    open_words = {word for text in open_texts for word in title_words(text).split()}
    open_stems = {stem(word) for word in open_words} | POINTLESS
    for match in _NAME.finditer(subject.text):
        word = plain(match.group()).split(" ")[0]
        if word in hidden and stem(word) not in open_stems:
            return match.group()
    return None


def _is_informative(entry: Value) -> bool:
    number = read_number(entry.value)
    if number is not None:
        return abs(number) > SMALL
    return entry.value.strip().casefold() not in _ANSWERS


CHECK = Check(
    name="disclosed_values",
    kinds=frozenset({"instruction", "nested"}),
    explains={
        "disclosed_value": "The text states a value that nobody knows before the calls have run."
    },
    examine=examine,
)
