"""Check that the text names the user's goal, not the actions, variables and APIs that reach it."""

import re
from functools import lru_cache
from itertools import pairwise

import msgspec

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import quoted_values
from prompts.language.orders import ORDER_VERBS
from prompts.language.words import plain, title_words
from prompts.styles import style_named
from prompts.subject import Subject

# Bounded runs: a text of one endless word must not take quadratic time.
_IDENTIFIER = re.compile(
    r"\bis\.workflow\.[\w.]{1,80}|\bWF[A-Z]\w{1,60}|\bcom\.\w{1,40}\.[\w.]{1,80}|"
    r"(?<!\w)[A-Za-z]\w{0,40}_\w{1,40}|(?<!\w)[a-z]{3,40}[A-Z][a-z]\w{0,40}|"
    r"(?<!\w)[A-Za-z]\w{0,40}\([^)\s]{0,40}\)"
)
_CALLING = re.compile(
    r"\bAPI (?:call|request|endpoint)s?\b|"
    r"\b(?:call|invoke|execute|query)(?:s|ing)? the [\w ]{1,40}? "
    r"(?:API|endpoint|function|method|tool|service)\b|\bthe (?:\w{1,30} ){1,4}"
    r"(?:action|function|API|endpoint)s?\b(?![.\w]| figure| movie| film| scene)",
    re.IGNORECASE,
)
_SHORTCUT = re.compile(
    r"\b(?:run|start|trigger|launch|execute|use|using|open|make|build|create|write|set up|add) "
    r"(?:me )?(?:this|that|the|my|a|an|your)(?: [\w'-]{1,30}){0,4} "
    r"(?:shortcut|automation|workflow)s?\b(?! i\b)|"
    r"\b(?:this|the|a) (?:shortcut|automation|workflow)\b(?! files?\b| i\b)|"
    r"\b(?:shortcut|automation) (?:that|which|called|named)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile('["\u201c][^"\u201c\u201d]{1,200}["\u201d]')
_KEYBOARD = re.compile(r"\bkeyboard shortcuts?\b", re.IGNORECASE)
_LEAST_LETTERS = 4
_LONG_WORD = 9
"""Minimum letters of an API's name whose words are written as one, such as `addnewreminder`."""
_BEGINS_WITH_ORDER = re.compile(rf"(?:{'|'.join(sorted(ORDER_VERBS))})[a-z]{{4}}")
_LONG_TITLE = 2
"""An action's title with this many blanks does not occur in a text by chance."""


def examine(subject: Subject) -> Finding:
    """Drops texts with identifiers, technical names of actions or APIs, or terms of automation."""
    subject = msgspec.structs.replace(subject, text=_QUOTED.sub(" ", subject.text))
    allowed = plain(_values_of(subject))
    for match in _IDENTIFIER.finditer(subject.text):
        if plain(match.group()) not in allowed:
            return dropped("names_action", f"names {match.group()!r}")
    calling = _CALLING.search(subject.without_values())
    if calling is not None and subject.kind != "category":
        return dropped("names_action", f"says {calling.group()!r}")
    named = _technical(subject)
    if named is not None:
        return dropped("names_action", f"names {named!r}")
    names_shortcuts = any("shortcut" in plain(call.words[0]) for call in subject.calls)
    if subject.kind != "category" and not names_shortcuts:
        automation = _SHORTCUT.search(_KEYBOARD.sub(" ", subject.text))
        if automation is not None:
            return dropped("names_automation", f"says {automation.group()!r}")
    return passing("names no action")


def _technical(subject: Subject) -> str | None:
    """Return the first technical name that the text spells as only a developer would, or None."""
    said = _values_of(subject)
    names = [*subject.technical, *(name for call in subject.calls for name in call.words[:2])]
    for name in dict.fromkeys(names):
        for written in _spellings(name):
            if subject.kind == "category" and " " in written and " " not in name:
                continue  # The name of a label has capitals, as a variable has.
            if (
                written in subject.text
                and written not in said
                and _is_separate_word(written, subject)
            ):
                return written
    return _titles_in_order(subject)


def _values_of(subject: Subject) -> str:
    """Return the values that a text may contain although they look technical, joined by blanks."""
    required = (entry.value for entry in subject.required)
    return " ".join((*required, *quoted_values(subject)))


def _titles_in_order(subject: Subject) -> str | None:
    """Return the titles of actions in a text if they cannot be there by chance, or None.

    One title of at least three words is enough, or two shorter ones.
    """
    if style_named(subject.style).fragments:
        return None
    said = f" {plain(subject.text)} "
    # Only titles have blanks: a parameter's name in small letters is what people say as well.
    names = [name for name in subject.technical if " " in name.strip()]
    titles = [title for title in map(plain, names) if f" {title} " in said]
    long = [title for title in titles if title.count(" ") >= _LONG_TITLE]
    several = [title for title in dict.fromkeys(titles) if " " in title]
    return next(iter(long), " and ".join(several) if len(several) > 1 else None)


@lru_cache(maxsize=4096)
def _spellings(name: str) -> frozenset[str]:
    """Return the ways in which developers write an API's name, such as "Get Current Weather"."""
    last = name.rpartition(".")[2]
    spellings = {spelling for spelling in (last, name) if _looks_like_identifier(spelling)}
    if "." in name and len(last) >= _LONG_WORD and _BEGINS_WITH_ORDER.match(last):
        spellings.add(last)
    words = title_words(last).split()
    if len(words) > 1:
        spellings |= {" ".join(word.capitalize() for word in words)}
        if " " in name.strip() and name[:1].isupper() and name.strip() != name.strip().capitalize():
            spellings.add(name.strip())
    return frozenset(spelling for spelling in spellings if len(spelling) >= _LEAST_LETTERS)


def _looks_like_identifier(name: str) -> bool:
    """Whether a single word looks like an identifier and not like an everyday word."""
    return " " not in name and (
        "_" in name or "." in name or any(a.islower() and b.isupper() for a, b in pairwise(name))
    )


def _is_separate_word(written: str, subject: Subject) -> bool:
    """Whether `written` occurs in the text as a whole word, not as a part of a word."""
    return re.search(rf"(?<!\w){re.escape(written)}(?!\w)", subject.text) is not None


CHECK = Check(
    name="names_actions",
    kinds=frozenset({"query", "instruction", "nested", "category"}),
    explains={
        "names_action": "The text names actions or APIs instead of a goal.",
        "names_automation": "The text speaks of shortcuts or automations instead of a goal.",
    },
    examine=examine,
)
