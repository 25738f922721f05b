"""Categories of the offline writer: the drawer by the words in a shortcut, and what it does."""

import re

from prompts.inputs.shortcuts import ShortcutInput
from prompts.language.values import plain
from prompts.templates.phrases import CATEGORY_WORDS, DEFAULT_CATEGORY
from prompts.templates.requests import plain_clauses
from prompts.templates.sentences import join, looks_odd

_TOLD = {
    "you need": "it needs",
    "I am": "you are",
    "I": "you",
    "me": "you",
    "my": "your",
}
_ABOUT_ME = re.compile("|".join(rf"\b{words}\b" for words in _TOLD))
MAX_NAME_WORDS = 8


def write_category(shortcut: ShortcutInput) -> tuple[str, str, str] | None:
    """Category, English name and description of a shortcut; None where nothing can be told."""
    clauses = plain_clauses(shortcut)
    if not clauses:
        return None
    words = set(plain(f"{shortcut.name} {shortcut.description} {shortcut.workflow}").split())
    joined = " ".join(sorted(words))
    scores = {
        category: sum(word in words or (len(word) > 4 and word in joined) for word in marks)
        for category, marks in CATEGORY_WORDS.items()
    }
    best = max(scores, key=lambda category: scores[category])
    category = best if scores[best] else DEFAULT_CATEGORY
    name = " ".join(shortcut.name.split())
    if not name.isascii() or not plain(name) or looks_odd(name):
        first = " ".join(to_you(clauses[-1]).split()[:MAX_NAME_WORDS])
        name = f"{first[:1].upper()}{first[1:]}"
    return category, name, f"{name}: it can {join([to_you(clause) for clause in clauses])}."


def to_you(clause: str) -> str:
    """A clause as somebody else tells of it: "show me my notes" is "show you your notes"."""
    return _ABOUT_ME.sub(lambda match: _TOLD[match[0]], clause)
