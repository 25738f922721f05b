"""Word a value by the kind of its parameter: "in Oslo", "on March 4th", "2 guests"."""

import datetime
import re

from prompts.inputs.planning_paths import PlannedArgument
from prompts.language.statements.switches import topic_of
from prompts.language.words import plain, title_words, word_set
from prompts.subject import Value

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d+)?")
_WHETHER = re.compile(r"Whether the \w+ is (\w+) or not\.?", re.IGNORECASE)
_TRUE = {"true": True, "false": False}
_LOCATION_SLOTS = {"city", "location", "area", "town", "region", "neighborhood", "country", "state"}
_FROM = {"from", "origin", "departure", "pickup", "source", "starting", "leaving"}
_TAKING = frozenset({"request", "borrow", "collect", "receive", "accept"})
_VENUES = word_set(
    "place hotel restaurant theater theatre cafe bar salon venue attraction store shop house "
    "museum property apartment"
)
_PROVIDERS = frozenset({"stylist", "dentist", "doctor", "therapist", "provider", "agent"})
_DULL = word_set("date time day of the new journey trip event visit appointment show")
_MASS = word_set(
    "insurance wifi internet music laundry entry protection luggage visibility alcohol parking "
    "breakfast furniture service baggage coverage seating"
)
_BEINGS = word_set(
    "people persons guests adults children kids passengers travelers travellers riders seats "
    "tickets members visitors attendees days nights hours minutes seconds weeks months"
)
_UNIT = re.compile(r"\bin (day|night|hour|minute|second|week|month|year|mile|kilometer)s\b")
_CHECKS = (["check", "in"], ["check", "out"])
_TO = {"to", "destination", "arrival", "dropoff", "ending", "where"}
_PEOPLE = {"receiver", "recipient", "contact", "person", "friend", "attendee", "invitee"}
_BY = {"artist", "director", "author", "singer", "performer", "directed", "writer"}
_DEVICES = {"device", "speaker", "player", "playback"}
_DEVICE = re.compile(r"\b(?:speaker|tv|device|player|phone|screen|stereo)s?\b", re.IGNORECASE)
_OF_IT = {"address", "phone", "number", "rating", "price", "fare", "website", "temperature"}
_STATES = re.compile(r"\w+(?:able|ible|ed|ful)")
_DOES = re.compile(r"(?:offer|serve|accept|allow|support|take|provide|include|contain)s")
_SINGULAR = re.compile(r"(?:[sui]s|ies)$")
_KINDS = frozenset({"language", "type", "kind", "option"})
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def value_words(argument: PlannedArgument, verb: str) -> str:
    """Return the words for a user's value, after a verb that may already name the value's kind."""
    value = argument.value
    label = label_words(argument)
    text = " ".join(value.value.split())
    if text.casefold() in _TRUE:
        return _switch(_switch_subject(label, value), on=_TRUE[text.casefold()])
    if text.casefold() == "none" and len(label) > 1 and label[-1] in _KINDS:
        thing = " ".join(label[:-1])
        return f"without {thing if thing.endswith('s') or label[-2] in _MASS else f'{thing}s'}"
    value_text = " ".join(value.titles[0].split()) if value.titles else text
    if _DATE.fullmatch(value_text):
        return _with_event(label, f"on {_date(value_text)}", verb)
    if _TIME.fullmatch(value_text):
        return _with_event(label, f"at {_time(value_text)}", verb)
    if _NUMBER.fullmatch(value_text):
        unit = _UNIT.search(value.about)
        return _count([*["number", "of"], f"{unit[1]}s"] if unit else label, value_text)
    if verb.split(" ", 1)[0] in _TAKING and _lead(label, value) == "to" and set(label) & _PEOPLE:
        return f"from {value_text}"
    return _text(label, value_text, value)


def label_words(argument: PlannedArgument) -> list[str]:
    """Return the everyday name of the argument's parameter, as a list of words."""
    return (argument.value.label or title_words(argument.value.name) or "value").split()


def pointed_at(argument: PlannedArgument) -> str:
    """Return the words for a result of an earlier call, such as "at its address"."""
    noun = noun_of(argument)
    words = set(noun.split())
    noun_text = f"its {noun}" if _OF_IT & words else f"that {_singular(noun)}"
    if "time" in words:
        return "at that time"
    lead = _lead(label_words(argument), argument.value) or _lead_of(noun)
    return f"{lead} {noun_text}"


def _singular(noun: str) -> str:
    """Return the singular of a noun: "airline" for "airlines"."""
    return noun if _SINGULAR.search(noun) else noun.removesuffix("s")


def noun_of(argument: PlannedArgument) -> str:
    """Return the noun for the result that an argument takes: "restaurant" for "restaurant name"."""
    words = argument.output.split()
    if words[-1:] == ["name"] and len(words) > 1:
        words.pop()
    return " ".join(words) or "result"


def preposition_of(argument: PlannedArgument) -> str:
    """Return the preposition of a place or person, such as "in" or "to", or "" for other values."""
    return _lead(label_words(argument), argument.value)


def is_day(argument: PlannedArgument) -> bool:
    """Whether an argument's value is a date."""
    return _DATE.fullmatch(argument.value.value.strip()) is not None


def named(argument: PlannedArgument) -> tuple[str, str] | None:
    """Return the kind of thing that a value names, with the name, or None for other parameters."""
    label = label_words(argument)
    text = " ".join(argument.value.value.split())
    if label[-1] not in {"name", "title", "track"} or text.casefold() in _TRUE:
        return None
    return " ".join(label[:-1]), _quote(text)


def _lead_of(noun: str) -> str:
    """Return the preposition of a named thing: "at" a venue, "with" a provider, or else "for"."""
    last = noun.rsplit(maxsplit=1)[-1]
    if last in _VENUES:
        return "at"
    return "with" if last in _PROVIDERS else "for"


def _switch_subject(label: list[str], value: Value) -> list[str]:
    """Return the words for what a switch turns on: "subtitles" of "turn subtitles on off".

    If the label is a single word, and the description has the same topic as an adjective ("whether
    the payment is private or not"), the words are those of the description: "is private".
    """
    if label[-2:] == ["on", "off"] and len(label) > 2:
        thing = label[:-2]
        return thing[1:] if thing[0] in {"turn", "switch"} and len(thing) > 1 else thing
    match = _WHETHER.fullmatch(value.about)
    if len(label) == 1 and match is not None and topic_of(value).heads == (match[1].casefold(),):
        return ["is", match[1].casefold()]
    return label


def _switch(label: list[str], *, on: bool) -> str:
    """Return words for a boolean, such as "with a garage" or "without garage".

    `prompts.language.statements` recognises these words as a statement of the value.
    """
    first, rest = label[0], " ".join(label[1:])
    if first in {"is", "are"}:
        return f"that {first} {rest}" if on else f"that {first} not {rest}"
    if _DOES.fullmatch(first) and rest:
        return f"that {first} {rest}" if on else f"that does not {first[:-1]} {rest}"
    if label[-1] in {"welcome", "available"} or (len(label) > 1 and label[-1].endswith("ed")):
        noun, state = " ".join(label[:-1]), label[-1]
        if noun:
            return f"with {noun} {state}" if on else f"with no {noun} {state}"
    if first in {"good", "suitable", "fit", "open"}:
        return f"that is {' '.join(label)}" if on else f"that is not {' '.join(label)}"
    if len(label) == 1 and _STATES.fullmatch(first):
        return f"that is {first}" if on else f"that is not {first}"
    if first in {"has", "have", "with", "add", "include", "want", "wants", "needs", "use"} and rest:
        return f"with {_with_article(rest)}" if on else f"without {rest}"
    name = " ".join(label)
    return f"with {_with_article(name)}" if on else f"without {name}"


def _with_article(noun: str) -> str:
    """Add an article to a singular noun that can be counted."""
    last = noun.rsplit(maxsplit=1)[-1]
    plural = last.endswith("s") and not last.endswith("ss")
    return noun if plural or last in _MASS else f"{_article(noun)} {noun}"


def _count(label: list[str], number: str) -> str:
    if label[:2] == ["number", "of"] and len(label) > 2:
        return f"{_for(label[2:])} {number} {counted(label[2:], number)}"
    if label[-1] == "size" and len(label) > 1:
        return f"for a {' '.join(label[:-1])} of {number}"
    if label[-1].endswith("s") and not label[-1].endswith("ss") and "." not in number:
        return f"{_for(label)} {number} {counted(label, number)}"
    if label == ["year"]:
        return f"from the year {number}"
    return f"with {_article(label[0])} {' '.join(label)} of {number}"


def _for(words: list[str]) -> str:
    """Return the preposition of a count: a table "for" two guests, but a house "with" two beds."""
    return "for" if _BEINGS & set(words) else "with"


def amount_of(argument: PlannedArgument) -> tuple[str, str] | None:
    """Return number and noun of a count, such as ("2", "tickets"), or None for other values."""
    label = label_words(argument)
    number = argument.value.value.strip()
    if label[:2] != ["number", "of"] or len(label) != 3 or not _NUMBER.fullmatch(number):
        return None
    return number, label[2]


def counted(words: list[str], number: str) -> str:
    """Return the noun in the form that the number needs: "ticket" for 1, and else "tickets"."""
    *before, last = words
    if number == "1":
        if last.endswith("ies"):
            last = last[:-3] + "y"
        elif last.endswith("s") and not last.endswith("ss"):
            last = last[:-1]
    return " ".join([*before, last])


def _text(label: list[str], text: str, value: Value) -> str:
    lead = _lead(label, value)
    if lead:
        if lead == "on":
            device = "" if _DEVICE.search(text) else f" {label[-1]}"
            return f"on the {text}{device}"
        return f"{lead} {text}"
    if label[-1] in {"name", "title"} and len(label) > 1:
        noun = " ".join(label[:-1])
        return f"{_lead_of(noun)} the {noun} {_quote(text)}"
    if label in (["name"], ["title"], ["track"]):
        return f"for {_quote(text)}"
    if len(label) == 1 and label[0].endswith("ing"):
        return f"{label[0]} {text}"
    if label[-1] == "method":
        return f"by {text}"
    return f"with {text} as the {' '.join(label)}"


def _lead(label: list[str], value: Value) -> str:
    """Return the preposition that a parameter's value needs, or "" if it is uncertain."""
    words = set(label)
    if label[-1] in {"type", "name", "class", "method", "category"} and not words & _PEOPLE:
        return ""
    if words & _PEOPLE and label[-1] != "type":
        return "to"
    about = set(plain(value.about).split())
    where = bool(words & (_LOCATION_SLOTS | {"airport", "station", "address"})) or bool(
        about & _LOCATION_SLOTS
    )
    if label[0] in {"from", "origin"} or (where and words & _FROM):
        return "from"
    if label[0] in {"to", "destination"} or (where and words & _TO):
        return "to" if label[0] != "where" else "in"
    if words & _LOCATION_SLOTS:
        return "in"
    if words & _BY:
        return "by"
    if words & _DEVICES:
        return "on"
    return ""


def _with_event(label: list[str], moment_text: str, verb: str) -> str:
    """Return a day or time with its event ("pickup on May 3rd") unless the verb names the event."""
    words = [word for word in label if word not in _DULL and word not in verb.split()]
    return " ".join([*(_what(words) if words else ()), moment_text])


def _what(words: list[str]) -> list[str]:
    if words[-1].endswith("ing"):
        return words
    return ["with", "-".join(words)] if words in _CHECKS else ["with", *words]


def _date(text: str) -> str:
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return text
    number = day.day
    ending = "th" if 10 <= number % 100 <= 20 else _ORDINALS.get(number % 10, "th")
    return f"{day:%B} {number}{ending}"


def _time(text: str) -> str:
    match = _TIME.fullmatch(text)
    hour, minute = (int(part) for part in match.groups()) if match else (0, 0)
    if hour > 23 or minute > 59:
        return text
    half = "am" if hour < 12 else "pm"
    hour_text = f"{(hour - 1) % 12 + 1}:{minute:02}" if minute else f"{(hour - 1) % 12 + 1}"
    return f"{hour_text} {half}"


def _quote(text: str) -> str:
    return f'"{text}"' if " " in text and '"' not in text else text


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"
