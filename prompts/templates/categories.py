"""Write labels of shortcuts without a model, from a shortcut's words and actions."""

import re

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from prompts.inputs.shortcuts import Deed, ShortcutInput
from prompts.language.actions import ON_THE_WAY, PLUMBING, SOURCES
from prompts.language.words import plain
from prompts.templates import is_awkward, join
from prompts.templates.requests import CLAUSES

MAX_CLAUSES = 3
_DEFAULT = "Productivity & Utilities"
_WORDS = {
    "Productivity & Utilities": (
        "calendar reminder note list file pdf clipboard todo task battery wifi email document"
    ),
    "Health & Fitness": (
        "health workout exercise water weight sleep calories heart steps meditation fitness"
    ),
    "Entertainment & Media": (
        "music song video photo image movie game playlist podcast album gif youtube camera"
    ),
    "Lifestyle & Social": (
        "message friend instagram twitter share whatsapp birthday recipe food travel weather"
    ),
    "Education & Reference": (
        "learn translate dictionary definition wikipedia book read study word language school"
    ),
    "Business & Finance": (
        "money currency invoice price stock bank payment bill expense tip crypto budget"
    ),
    "Development & API": (
        "api json script ssh github code token regex server http base64 webhook terminal"
    ),
    "Home & Smart Devices": (
        "homekit homeaccessory light lamp thermostat garage door speaker scene hue sensor"
    ),
}
"""Words that indicate a category; of two categories with equally many words, the first one wins."""
_TO_YOU = {"you need": "it needs", "I am": "you are", "I": "you", "me": "you", "my": "your"}
_ABOUT_ME = re.compile("|".join(rf"\b{words}\b" for words in _TO_YOU))
_RESULT, _SOURCE, _ON_THE_WAY = range(3)


def write_category(shortcut: ShortcutInput) -> tuple[str, str, str] | None:
    """Return category, name and description of a shortcut, or None if the data does not suffice.

    The shortcut needs an action with a known phrase, and a readable name in ASCII.
    """
    name = " ".join(shortcut.name.split())
    clauses = [_ABOUT_ME.sub(lambda match: _TO_YOU[match[0]], text) for text in _clauses(shortcut)]
    if not clauses or not name.isascii() or not plain(name) or is_awkward(name):
        return None
    words = set(plain(f"{shortcut.name} {shortcut.description} {shortcut.workflow}").split())
    joined = " ".join(sorted(words))
    scores = {
        category: sum(word in words or (len(word) > 4 and word in joined) for word in marks.split())
        for category, marks in _WORDS.items()
    }
    best = max(scores, key=lambda category: scores[category])
    return best if scores[best] else _DEFAULT, name, f"{name}: it can {join(clauses)}."


def _clauses(shortcut: ShortcutInput) -> list[str]:
    """Return phrases without values for up to three actions, in the order of the actions.

    Actions that give a result are preferred to actions that supply data.
    """
    phrases = [
        (_rank(deed), -index, CLAUSES[deed.api])
        for index, deed in enumerate(shortcut.deeds)
        if _is_namable(deed)
    ]
    chosen: dict[str, int] = {}
    for rank, position, phrase in sorted(phrases):
        if len(chosen) < MAX_CLAUSES and (rank < _ON_THE_WAY or not chosen):
            chosen.setdefault(phrase, position)
    return sorted(chosen, key=lambda phrase: -chosen[phrase])


def _is_namable(deed: Deed) -> bool:
    is_plumbing = SYSTEM_PREFIX + deed.api in PLUMBING
    return bool(CLAUSES.get(deed.api)) and not is_plumbing and not deed.api.startswith("filter.")


def _rank(deed: Deed) -> int:
    if deed.api in ON_THE_WAY:
        return _ON_THE_WAY
    return _SOURCE if deed.api in SOURCES else _RESULT
