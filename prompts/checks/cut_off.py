"""Check that the text ends with a complete sentence."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import word_set
from prompts.styles import style_named
from prompts.subject import Subject

_NEVER_LAST = word_set(
    "a an the and or but because if than my your our their his its whose very as such "
    "every per via plus versus vs which whether"
)
"""No sentence ends with these words."""
_SELDOM_LAST = word_set(
    "while into onto upon to of with from for at by in on near between about under over "
    "is are was be then that so when where how what who until after before during without "
    "around against this these those some any no not i we they he she it's i'm also both "
    "will would shall should may might must just"
)
"""A sentence may end with these words, but only if it also ends with a mark such as a full stop."""
_POINTING = frozenset({"that", "this", "these", "those"})
_BEFORE_THAT = frozenset({"after", "before", "with", "like", "for", "from", "about", "than", "by"})
_BEFORE_WHICH = frozenset({"me", "know", "say", "see", "choose"})
_OBJECT_LESS = word_set(
    "show send add set find play put make give buy book reserve open tell get take keep "
    "let want need copy save create turn translate bring order check read say ask call "
    "write"
)
"""Verbs that need an object, so that a sentence cannot end with them."""
_DANGLING = re.compile(r"(?:\.\.\.|\u2026|[,;:\u2013\u2014-])$")
_CLOSED = re.compile(r"[.!?\u3002][\"')\u201d\u2019\]]*$")
_QUOTED = re.compile(r'"[^"]{1,200}"')
_JOINED = frozenset({"and", "then", "or", "to"})
_LONGEST_TAIL = 400


def examine(subject: Subject) -> Finding:
    """Drops texts with an incomplete end, a missing end mark, or unclosed brackets or quotes."""
    text = subject.text.strip()
    fault = _fault(text)
    if subject.style and not style_named(subject.style).fragments and not _CLOSED.search(text):
        fault = fault or f"no end mark behind {text[-20:]!r}"
    for entry in subject.required:
        # A value may end in anything: "What's up..." stays as it is.
        if fault and entry.value and text.rstrip("\"').!?").endswith(entry.value.rstrip(".!?")):
            fault = None
    return dropped("cut_off", fault) if fault else passing("ends")


def _fault(text: str) -> str | None:
    if _DANGLING.search(text):
        return f"ends in {text[-3:]!r}"
    plainly = _QUOTED.sub(" ", text)
    if plainly.count("(") > plainly.count(")") or text.count("\u201c") > text.count("\u201d"):
        return "a bracket or quotation mark is left open"
    if text.count('"') % 2:
        return "a quotation mark is left open"
    closed = _CLOSED.search(text) is not None
    words = [word.strip("\"'.,;:!?()[]").lower() for word in text[-_LONGEST_TAIL:].split()]
    last = words[-1] if words else ""
    if closed and last == "which" and words[-2:-1] and words[-2] in _BEFORE_WHICH:
        return None  # "Tell me which."
    if words[-2:-1] and words[-2] in _BEFORE_THAT and last in _POINTING:
        return None  # "and then the map after that"
    if last in _NEVER_LAST or (not closed and last in _SELDOM_LAST):
        return f"ends with {last!r}"
    if not closed and last in _OBJECT_LESS and words[-2:-1] and words[-2] in _JOINED:
        return f"ends with {' '.join(words[-2:])!r}"
    return None


CHECK = Check(
    name="cut_off",
    kinds=frozenset({"query", "instruction", "nested", "category", "dialogue"}),
    explains={"cut_off": "The text ends in the middle of a sentence."},
    examine=examine,
)
