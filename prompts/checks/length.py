"""Check that the text has the number of words and sentences that its kind requires."""

from sentencex import segment

from prompts.checks import Check, Finding, dropped, passing
from prompts.styles import style_named
from prompts.subject import Subject

WORDS = {
    "query": (5, 150),
    "instruction": (5, 120),
    "category": (3, 80),
    "nested": (6, 200),
}

MOST_NAME_WORDS = 8
"""Maximum number of words in a shortcut's name; the prompt states the same number."""


def examine(subject: Subject) -> Finding:
    """Drops texts with too few or too many words, and instructions of several sentences.

    An instruction with a question mark may have one more sentence, because people ask first and
    then say why.
    """
    count = len(subject.text.split())
    least, most = WORDS[subject.kind]
    style = style_named(subject.style)
    if style.fragments:
        least = style.least_words
    # Many required values need room, for every writer.
    most += sum(len(entry.value.split()) for entry in subject.required)
    if count < least:
        return dropped("too_short", f"{count} words, at least {least}")
    if count > most:
        return dropped("too_long", f"{count} words, at most {most}")
    name, colon, _ = subject.text.partition(": ")
    name_words = len(name.split())
    if subject.kind == "category" and colon and name_words > MOST_NAME_WORDS:
        return dropped("too_long", f"a name of {name_words} words, at most {MOST_NAME_WORDS}")
    if subject.kind == "instruction":
        sentences = _sentences(subject)
        if sentences > style.most_sentences + ("?" in subject.text[:-1]):
            return dropped("not_one_sentence", f"{sentences} sentences")
    return passing(f"{count} words")


def _sentences(subject: Subject) -> int:
    """Count the sentences of a text; full stops inside required values are not counted."""
    text = " ".join(subject.text.split())
    for entry in sorted(subject.required, key=lambda value: -len(value.value)):
        if any(mark in entry.value for mark in ".!?"):
            text = text.replace(entry.value, "value")
    return sum(any(map(str.isalpha, part)) for part in segment("en", text))


CHECK = Check(
    name="length",
    kinds=frozenset(WORDS),
    explains={
        "not_one_sentence": "The instruction has more than one sentence.",
        "too_long": "The text has too many words for its kind.",
        "too_short": "The text has too few words for its kind.",
    },
    examine=examine,
)
