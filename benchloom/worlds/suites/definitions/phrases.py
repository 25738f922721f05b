"""Word titles, labels and values of definitions as people say them."""

import datetime
import re

from benchloom.core.records import Parameter
from benchloom.core.records.values import Plain
from benchloom.worlds.suites.definitions.words import words_of

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '&+-]*(?: \([A-Za-z0-9 -]+\))?")
_PLUMBING = frozenset(
    [
        "auth",
        "bundle",
        "callback",
        "class",
        "command",
        "configuration",
        "cu",
        "deep",
        "entity",
        "entitys",
        "id",
        "identifier",
        "identifiers",
        "index",
        "intent",
        "intents",
        "json",
        "key",
        "loc",
        "mode",
        "password",
        "path",
        "pid",
        "pids",
        "prompt",
        "script",
        "sheet",
        "ssh",
        "token",
        "tool",
        "uid",
        "unknown",
        "uuid",
        "value",
        "values",
        "widget",
        "x",
    ]
)
"""Words in titles that people do not say."""
_LONGEST_LABEL = 4
_UNNAMED = frozenset({"state", "enabled", "on off", "target", "enable", "text", "input", "hide"})
_HALF = 12
_PREPOSITIONS = frozenset(
    ["in", "on", "to", "via", "with", "from", "for", "using", "as", "of", "at", "over", "and"]
)
_BRANDS = frozenset({"Apple", "Siri"})
_COUNTED = frozenset(
    [
        "call",
        "document",
        "message",
        "note",
        "payment",
        "photo",
        "podcast",
        "reminder",
        "reply",
        "tapback",
        "timer",
        "window",
        "workout",
    ]
)
"""Nouns of things that people do one by one: `send a message`."""


def plain_title(title: str | None) -> str:
    """Return a title that people can say; empty if it is none: no English, or plumbing."""
    text = (title or "").strip()
    if not _PLAIN.fullmatch(text) or not _PLUMBING.isdisjoint(words_of(text)):
        return ""
    return "" if text.isupper() and len(text) > 4 else text


def label_of(parameter: Parameter) -> str:
    """Return what people call a parameter; empty if its title says nothing."""
    text = plain_title(parameter.title).lower()
    is_short = 0 < len(text.split()) <= _LONGEST_LABEL
    return text if is_short and " ".join(words_of(text)) not in _UNNAMED else ""


def phrase_of(title: str, app: str) -> str:
    """Return a title as an order inside a sentence: `send a message via Telegram`.

    Names after a preposition keep their capitals; the name of the app itself is left out.
    """
    first, *rest = title.split()
    phrase = [first.lower()]
    in_name = False
    for position, word in enumerate(rest):
        if word.lower() in _PREPOSITIONS:
            in_name = True
            phrase.append(word.lower())
        elif in_name or any(sign.isupper() for sign in word[1:]) or word in _BRANDS:
            phrase.append(word)
        elif word.lower() not in app.lower() or len(rest) == 1:
            is_last = position + 1 == len(rest) or rest[position + 1].lower() in _PREPOSITIONS
            lower = word.lower()
            phrase.append(
                article(lower) if lower in _COUNTED and is_last and len(phrase) == 1 else lower
            )
    return " ".join(phrase)


def without_app(noun: str, app: str) -> str:
    """Return a noun without the name of its app: a task for `2do task`."""
    words = [word for word in noun.split() if word not in app.lower()]
    return " ".join(words) or noun


def article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def is_page(noun: str) -> bool:
    """Whether the entities of a noun are pages of settings."""
    return noun == "page" or noun.endswith(("deep link", "deep links", "settings"))


def switched(label: str, *, has_target: bool) -> tuple[str, str, str] | None:
    """Return the order to switch something, and its words for on and off; None without a label.

    The order has gaps for these words and the thing.
    """
    if not has_target:
        return "", "turn on", "turn off"
    if not label:
        return None
    bare = label.removeprefix("is ")
    if re.fullmatch(r"\w+(?:ed|ite|den)", bare):
        return "mark {thing} {gap}", f"as {bare}", f"as not {bare}"
    return "{gap} for {thing}", f'turn on "{label.title()}"', f'turn off "{label.title()}"'


def worded(value: Plain, parameter: Parameter) -> tuple[str, bool]:
    """Return the words of a value, and whether they do not contain it."""
    if parameter.type_kind == "enum":
        titles = {case.value: case.title for case in parameter.enum_values}
        text = titles.get(str(value)) or " ".join(words_of(str(value)))
        return text, str(value).lower() not in text.lower()
    if parameter.type in {"Date", "DateComponents"}:
        return _moment(str(value)), False
    if isinstance(value, dict):
        return f"{value['value']} {value['unit']}", False
    if isinstance(value, str) and parameter.type not in {"URL", "Person", "Placemark"}:
        is_link = value.startswith("https:")
        return (value if is_link else f'"{value}"'), False
    return str(value), False


def _moment(text: str) -> str:
    moment = datetime.datetime.fromisoformat(text)
    hour, half = moment.hour % _HALF or _HALF, "am" if moment.hour < _HALF else "pm"
    minute = f":{moment:%M}" if moment.minute else ""
    return f"{moment.day} {moment:%B} at {hour}{minute} {half}"
