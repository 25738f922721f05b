"""Name values in plain English, and recognise texts that people would not say.

A text may be words, code, an address, a path, an identifier or signs.
"""

import re
from collections.abc import Mapping

import msgspec

from prompts.data_block import clean_text
from prompts.language.value_texts.literals import Literal
from prompts.language.value_texts.parameters import LABELS
from prompts.language.words import title_words


class ParameterFacts(msgspec.Struct, frozen=True, gc=False):
    """The texts of a definition about a parameter; `options` maps enum values to their titles."""

    title: str = ""
    about: str = ""
    type_kind: str = ""
    options: Mapping[str, str] = {}


class ApiFacts(msgspec.Struct, frozen=True, gc=False):
    """The texts of a definition about an API: title, description, and parameters by name."""

    api: str
    title: str
    description: str
    parameters: Mapping[str, ParameterFacts] = {}


NOTHING = ParameterFacts()


def facts_of(definitions: Mapping[str, ApiFacts], api: str, parameter: str) -> ParameterFacts:
    """Return what the definition of an API says about a parameter, or empty facts without one."""
    facts = definitions.get(api)
    return NOTHING if facts is None else facts.parameters.get(parameter, NOTHING)


LONGEST = 60
"""Maximum characters of a text that people say in one request."""
_ADDRESS = re.compile(r"^[a-z][\w+.-]*:(//|\w)|^(mailto|tel|data):|://|^www\.", re.IGNORECASE)
_SITE = re.compile(
    r"^(https?://)?(www\.)?[\w-]+(\.[\w-]+)*\.(com|org|net|io|app|co|de|it|fr|uk|cn|me|dev|edu|gov|"
    r"info|us|ai|no|se|es|nl|ch|at|jp|kr|in|ru|br|tv|eu|example)/?$",
    re.IGNORECASE,
)
_FILE = re.compile(r"^[\w .()-]{1,60}\.[a-z0-9]{1,8}$", re.IGNORECASE)
_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-|^#?(?=.*\d)[0-9a-f]{6,}$|^(?=\S*\d)(?=\S*[a-z])[\w+/=-]{20,}$|"
    r"^[a-z][\w-]*(\.[\w-]+){2,}$|^id:",
    re.IGNORECASE,
)
_PATH = re.compile(r"^[~./]*(/[^/\s]+)+/?$|^[\w .-]+(/[\w .-]+)+\.\w+$|^\w+(/\w+){2,}$")
_CODE = re.compile(
    r"[{}<>\\|^`]|\$\{|\[\^|\(\?|==|=>|\w\(\)|;\s*$|\w=\w|&\w+=|^[-+*/%=&?!#@:;,.~()]+$|%\w"
)
_PROGRAM = re.compile(
    r"\(\?|\.\*|\[\^|\w\(\)|=>|==|</?\w+[ />]|\{\s*[\"'\w]+\s*:|;\s*(\n|$)|"
    r"^\s*(def|import|var|const|let) |^BEGIN:VCARD",
    re.MULTILINE,
)
"""Matches constructs of programs, markup, patterns and data that sentences do not contain."""
_IDENTIFIER = re.compile(r"^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$|^[a-z]+([A-Z][a-z0-9]+)+$|^[\w]+=[\w]*$")
_LETTER = re.compile(r"[^\W_]")


def fault_of(text: str) -> str | None:
    """Return why people would not say a text, or None if they might.

    The reasons are empty, redacted, signs, address, site, file_name, identifier, path, code and
    long_text. People may still say a site, a file_name or a long_text.
    """
    stripped_text = text.strip()
    if not stripped_text:
        return "empty"
    if "[redacted:" in stripped_text:
        return "redacted"
    if not _LETTER.search(stripped_text):
        return "signs"
    if len(stripped_text) <= 4 * LONGEST:
        for name, pattern in _SHAPES:
            if pattern.search(stripped_text):
                return name
    if len(stripped_text) > LONGEST or "\n" in stripped_text:
        return "code" if _PROGRAM.search(stripped_text[:4_000]) else "long_text"
    return None


_SHAPES = (
    ("site", _SITE),
    ("address", _ADDRESS),
    ("path", _PATH),
    ("identifier", _ID),
    ("identifier", _IDENTIFIER),
    ("file_name", _FILE),
    ("code", _CODE),
)


def site_of(text: str) -> str:
    """Return the name of the site in an address without a path, or "" for any other text."""
    stripped_text = text.strip()
    if len(stripped_text) > LONGEST or not _SITE.match(stripped_text):
        return ""
    return stripped_text.rpartition("//")[2].removeprefix("www.").rstrip("/")


MAY = frozenset({"site", "file_name", "long_text"})
"""Reasons of texts that people may say, although a request need not state them."""


def is_name(text: str) -> bool:
    """Whether a short text looks like a name or phrase rather than a code or key.

    A text in ASCII capitals needs a blank or more than four letters. Other texts need a blank, a
    capital at the start, or a letter outside ASCII.
    """
    stripped_text = text.strip()
    if stripped_text.isascii() and stripped_text.isupper():
        return " " in stripped_text or len(stripped_text) > 4
    return " " in stripped_text or stripped_text[:1].isupper() or not stripped_text.isascii()


MAX_LABEL = 60
_SHORT_UNITS = {
    "B": "bytes",
    "KB": "kilobytes",
    "MB": "megabytes",
    "GB": "gigabytes",
    "cal": "calories",
    "cm": "centimetres",
    "count": "times",
    "fl_oz_us": "fluid ounces",
    "ft": "feet",
    "g": "grams",
    "hr": "hours",
    "in": "inches",
    "kcal": "kilocalories",
    "kg": "kilograms",
    "km": "kilometres",
    "l": "litres",
    "lb": "pounds",
    "m": "metres",
    "mcg": "micrograms",
    "mg": "milligrams",
    "mi": "miles",
    "min": "minutes",
    "mL": "millilitres",
    "ml": "millilitres",
    "oz": "ounces",
    "sec": "seconds",
    "yr": "years",
}
_SECONDS = frozenset({"WFDelayTime"})
_FRACTIONS = frozenset({"WFBrightness", "WFVolume"})


def label_of(literal: Literal, facts: ParameterFacts, api_title: str) -> str:
    """Return the everyday name of a literal value.

    The name is the first that exists of: the clause of the condition, our own name of the
    parameter, the title in the definition, the words of the parameter's name. To a title of a
    single word, the title of the API is added: "body (Show Notification)".
    """
    if literal.clause:
        return clean_text(literal.clause, MAX_LABEL)
    if literal.role == "app":
        return "app"
    if literal.role == "quantity" and literal.name not in LABELS:
        return f"amount ({clean_text(api_title, MAX_LABEL)})" if api_title else "amount"
    if literal.name in LABELS:
        return LABELS[literal.name]
    words = facts.title.lower() or _words(literal.name)
    title = clean_text(words, MAX_LABEL)
    return (
        f"{title} ({clean_text(api_title, MAX_LABEL)})" if " " not in title and api_title else title
    )


def _words(name: str) -> str:
    words = title_words(name.removeprefix("WF")).split()
    return " ".join(dict.fromkeys(word for word in words if word not in {"action", "wf"}))


def titles_of(literal: Literal, facts: ParameterFacts) -> tuple[str, ...]:
    """Return other wordings of a value: the title of an option, its unit in words, a percentage."""
    titles: list[str] = []
    option = facts.options.get(literal.value)
    if option and option != literal.value:
        titles.append(clean_text(option, MAX_LABEL))
    if literal.unit:
        words = _SHORT_UNITS.get(literal.unit, literal.unit.replace("_", " "))
        is_singular = literal.value in {"1", "1.0"}
        titles.append(f"{literal.value} {words.removesuffix('s') if is_singular else words}")
    if literal.role != "condition" and (site := site_of(literal.value)):
        titles.append(site)
    if literal.name in _SECONDS:
        titles.append(f"{literal.value} seconds")
    if literal.name in _FRACTIONS and literal.number and 0 < float(literal.value.strip()) < 1:
        titles.append(f"{round(float(literal.value) * 100)} percent")
    return tuple(titles)
