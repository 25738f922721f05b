"""Check that the text is a sentence and not a list of values."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import MONTHS, STOPWORDS, WEEKDAYS, plain
from prompts.styles import style_named
from prompts.subject import Subject

_FRAGMENT = re.compile(r"[,;\n|/\u2022]|\. ")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_QUOTES = ('"', "\u201c")
_QUOTED_PAIR = re.compile(r"\b[a-z]\w*: [\"\u201c]")
_PAIR = re.compile(r"(?<![\w/])[A-Za-z][\w ]{0,30}\s?(?:=|: )\s?\S")
LEAST = 3
MAX_BARE = 0.75
BARE_WORDS = 3
_SAYS_MORE = STOPWORDS - {"of", "the", "a", "and", "in", "no"}


def examine(subject: Subject) -> Finding:
    """Drops texts that are mostly fragments of up to three words without a linking word."""
    text = subject.text
    for entry in subject.required:
        if _FRAGMENT.search(entry.value):
            text = text.replace(entry.value, " value ")
    fragments = [plain(part) for part in _FRAGMENT.split(text)]
    fragments = [part for part in fragments if part]
    bare = [part for part in fragments if _is_bare(part)]
    if len(fragments) >= LEAST and not _words_beside_values(subject):
        return dropped("dumped_values", "nothing but values")
    sentences = not style_named(subject.style).fragments
    if sentences and len(fragments) >= LEAST and len(bare) >= MAX_BARE * len(fragments):
        return dropped("dumped_values", f"{len(bare)} bare words of {len(fragments)} parts")
    if sentences and any(_lists_values(sentence) for sentence in _SENTENCE.split(text)):
        return dropped("dumped_values", "a sentence of nothing but values")
    pairs = len(_PAIR.findall(text)) if text.count("=") + text.count(": ") >= LEAST else 0
    if pairs >= LEAST or (sentences and len(_QUOTED_PAIR.findall(text)) > 1):
        return dropped("dumped_values", f"{pairs} pairs of name and value")
    return passing("a sentence")


def _lists_values(sentence: str) -> bool:
    parts = sentence.split(", ")
    return len(parts) > LEAST and all(part[:1] in _QUOTES or _is_bare(part) for part in parts)


def _words_beside_values(subject: Subject) -> set[str]:
    values = [text for entry in subject.required for text in (entry.value, *entry.titles)]
    words = {word for word in plain(subject.text).split() if not word.isdigit()}
    return words - {*plain(" ".join(values)).split()} - STOPWORDS - {*MONTHS, *WEEKDAYS}


def _is_bare(fragment: str) -> bool:
    words = fragment.split()
    return len(words) <= BARE_WORDS and not _SAYS_MORE & set(words)


CHECK = Check(
    name="dumped_values",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={
        "dumped_values": "The text lists values without sentences that say what they are for."
    },
    examine=examine,
)
