"""Plain-English names of values: the common name and other names of each value."""

from prompts.data_block import clean_text
from prompts.language.value_texts.definitions import ParameterFacts
from prompts.language.value_texts.literals import Literal
from prompts.language.value_texts.parameters import LABELS
from prompts.language.value_texts.shapes import site_of
from prompts.language.values import title_words

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


def unit_words(unit: str) -> str:
    """Return the unit in everyday words; unknown units are returned unchanged."""
    return _SHORT_UNITS.get(unit, unit.replace("_", " "))


def label_of(literal: Literal, facts: ParameterFacts, api_title: str) -> str:
    """Return the common name of a value.

    The name is the first that exists of: the clause of the condition, benchloom's own name, the
    title in the definition, the words of the parameter name. A title of a single word gets the
    title of its API: "body (Show Notification)".
    """
    if literal.clause:
        return clean_text(literal.clause, MAX_LABEL)
    if literal.place == "app":
        return "app"
    if literal.place == "quantity" and literal.name not in LABELS:
        return f"amount ({clean_text(api_title, MAX_LABEL)})" if api_title else "amount"
    if literal.name in LABELS:
        return LABELS[literal.name]
    words = facts.title.lower() or _words(literal.name)
    title = clean_text(words, MAX_LABEL)
    return (
        f"{title} ({clean_text(api_title, MAX_LABEL)})" if " " not in title and api_title else title
    )


def required_wording(literal: Literal) -> str:
    """Return the value as a request must state it: a quantity includes its unit."""
    return f"{literal.value} {literal.unit}" if literal.unit else literal.value


def _words(name: str) -> str:
    words = title_words(name.removeprefix("WF")).split()
    return " ".join(dict.fromkeys(word for word in words if word not in {"action", "wf"}))


def titles_of(literal: Literal, facts: ParameterFacts) -> tuple[str, ...]:
    """Return other wordings of the value: a choice's title, the unit in words, a percentage."""
    titles: list[str] = []
    option = facts.options.get(literal.value)
    if option and option != literal.value:
        titles.append(clean_text(option, MAX_LABEL))
    if literal.unit:
        words = unit_words(literal.unit)
        is_singular = literal.value in {"1", "1.0"}
        titles.append(f"{literal.value} {words.removesuffix('s') if is_singular else words}")
    if literal.place != "condition" and (site := site_of(literal.value)):
        titles.append(site)
    if literal.name in _SECONDS:
        titles.append(f"{literal.value} seconds")
    if literal.name in _FRACTIONS and literal.number and 0 < float(literal.value.strip()) < 1:
        titles.append(f"{round(float(literal.value) * 100)} percent")
    return tuple(titles)
