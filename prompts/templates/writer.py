"""The offline writer: plain sentences made by rule, the same on every machine, without a model.

It is there so that the whole pipeline runs without keys. Its rows are marked
`generator=template`, and a run uses either it or a model, never both.
"""

import hashlib
import re

from prompts.inputs.shortcuts import ShortcutInput
from prompts.language.actions import PHRASES
from prompts.language.values import plain, read_number, title_words
from prompts.subject import Value
from prompts.templates.phrases import CATEGORY_WORDS, DEFAULT_CATEGORY

MOST_PHRASES = 3
OPENERS = (
    "Could you {wish} for me",
    "Please {wish}",
    "I would like you to {wish}",
    "Can you {wish}",
    "I need you to {wish}",
    "Would you {wish} for me",
    "Help me out and {wish}",
    "It would be great if you could {wish}",
)
_NAMED = (
    "for what I call {name}",
    "as part of my {name} routine",
    "when I say {name}",
    "so that {name} is done",
)
_TOLD = {
    "you need": "it needs",
    "I am": "you are",
    "I": "you",
    "me": "you",
    "my": "your",
}
_ABOUT_ME = re.compile("|".join(rf"\b{words}\b" for words in _TOLD))
_VALUES = ("using {values}", "with {values}", "and work with {values}", "based on {values}")


def write_query(given: ShortcutInput) -> str:
    """A request for a shortcut: what its actions do, its name, and every required value."""
    choice = Choice(given.name + given.workflow)
    wish = join(_wishes(given, choice))
    opener = choice.of(OPENERS)
    if _ABOUT_ME.search(wish):
        opener = opener.removesuffix(" for me")
    parts = [opener.format(wish=wish)]
    name = " ".join(given.name.split())
    if plain(name) and not _looks_odd(name):
        parts.append(choice.of(_NAMED).format(name=f'"{name}"'))
    if given.required:
        values = list(dict.fromkeys(_said(value) for value in given.required))
        parts.append(choice.of(_VALUES).format(values=join(values)))
    return _ended(" ".join(parts), end_of(parts[0]))


def _said(value: Value) -> str:
    """A value inside a sentence: a number with its name, several words as a quotation."""
    text = " ".join(value.value.split())
    if read_number(text) is not None:
        words = title_words(value.name.removeprefix("WF")).split()
        return " ".join([*dict.fromkeys(word for word in words if word != "action"), text])
    plain_word = " " not in text and text[-1:].isalnum()
    return text if plain_word or '"' in text else f'"{text}"'


def _ended(sentence: str, end: str) -> str:
    """A sentence with its end, which a quotation may have brought along."""
    return sentence if end == "." and sentence.endswith(('."', '!"', '?"')) else sentence + end


def _wishes(given: ShortcutInput, choice: "Choice") -> list[str]:
    """What the actions do, the last ones first chosen: they are nearest to the result."""
    found: list[str] = []
    for name in reversed(given.called):
        phrase = PHRASES.get(name)
        if phrase is None and name.count(".") > 1:  # another app's bundle id
            phrase = f"use {_spoken(name)}"
        if phrase and phrase not in found:
            found.append(phrase)
    chosen = found[:MOST_PHRASES]
    return list(reversed(chosen)) or [choice.of(("take care of this", "get this done"))]


def _spoken(name: str) -> str:
    """The API of another app in words: `com.example.app.AddTask` is "add task"."""
    return title_words(name.rpartition(".")[2].removesuffix("Intent")) or "another app"


def write_category(given: ShortcutInput) -> tuple[str, str, str]:
    """Category, English name and description of a shortcut, by the words in it."""
    words = set(plain(f"{given.name} {given.description} {given.workflow}").split())
    joined = " ".join(sorted(words))
    scores = {
        category: sum(word in words or (len(word) > 4 and word in joined) for word in marks)
        for category, marks in CATEGORY_WORDS.items()
    }
    best = max(scores, key=lambda category: scores[category])
    category = best if scores[best] else DEFAULT_CATEGORY
    name = " ".join(given.name.split())
    name = name if name.isascii() and plain(name) and not _looks_odd(name) else "Untitled shortcut"
    wishes = [_to_you(wish) for wish in _wishes(given, Choice(given.workflow))]
    return category, name, f"{name}: it can {join(wishes)}."


def _to_you(wish: str) -> str:
    """A wish as somebody else tells of it: "show me my notes" is "show you your notes"."""
    return _ABOUT_ME.sub(lambda found: _TOLD[found[0]], wish)


def _looks_odd(name: str) -> bool:
    """Names that are not said aloud: long ones, ones with code or addresses."""
    return len(name) > 60 or any(mark in name for mark in ("://", "{", "<", "@", "\\", ":"))


def end_of(opener: str) -> str:
    """The mark that ends a sentence with this opener."""
    return "?" if opener.startswith(("Could", "Can", "Would")) else "."


def join(parts: list[str]) -> str:
    """Parts as an English list."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


class Choice:
    """Picks wordings by a digest of the row, so that equal rows read equal."""

    def __init__(self, row: str) -> None:
        self._bytes = hashlib.sha256(row.encode()).digest()
        self._next = 0

    def of(self, options: tuple[str, ...]) -> str:
        """The next choice among options."""
        self._next += 1
        return options[self._bytes[self._next % len(self._bytes)] % len(options)]
