"""Check that the text is not copied from its source or from an API's description."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import plain
from prompts.subject import Subject

COPIED_RUN = 14
"""A text that shares this many consecutive words with a source is a copy."""
WHOLE = 0.7
"""A text is a copy if one sentence of a source makes up this share of its words."""
LEAST_WORDS = 3
_NAMES = 3
"""The words of a call begin with this many names; the description of its API follows them."""
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n")


def examine(subject: Subject) -> Finding:
    """Drops texts that copy 14 words in a row, or a sentence, from a source or API description.

    The sources are the texts of the shortcut or dialogue that the text is about.
    """
    text = subject.text
    if subject.kind == "category":
        text = text.partition(": ")[2] or text
    words = plain(text).split()
    values = {plain(entry.value) for entry in subject.required}
    described = (text for call in subject.calls for text in call.words[_NAMES:])
    for source in (*subject.sources, *subject.descriptions, *described):
        if subject.kind != "category":
            run = shared_run(words, source, COPIED_RUN)
            if run is not None and not any(run in value for value in values):
                return dropped("source_echo", f"repeats its source: {run!r}")
        whole = _copied_sentence(words, source)
        if whole is not None and whole not in values:
            return dropped("source_echo", f"copies {whole!r}")
    return passing("in its own words")


def _copied_sentence(words: list[str], source: str) -> str | None:
    """Return the sentence of `source` that makes up most of the text, or None if there is none."""
    text = f" {' '.join(words)} "
    for sentence in (source, *_SENTENCE.split(source)):
        plain_sentence = plain(sentence)
        count = plain_sentence.count(" ") + 1
        if count >= LEAST_WORDS and count >= WHOLE * len(words) and f" {plain_sentence} " in text:
            return plain_sentence
    return None


def shared_run(words: list[str], other: str, length: int) -> str | None:
    """Return the first `length` consecutive words that also occur in `other`, or None."""
    if len(words) < length or not other:
        return None
    source = f" {plain(other)} "
    # A run of this length contains at least one whole block of half the length.
    block = (length + 1) // 2
    blocks = (" ".join(words[at : at + block]) for at in range(0, len(words) - block + 1, block))
    if not any(f" {shared} " in source for shared in blocks):
        return None
    for start in range(len(words) - length + 1):
        run = " ".join(words[start : start + length])
        if f" {run} " in source:
            return run
    return None


CHECK = Check(
    name="copied_text",
    kinds=frozenset({"query", "instruction", "category", "nested"}),
    explains={"source_echo": "The text copies its source."},
    examine=examine,
)
