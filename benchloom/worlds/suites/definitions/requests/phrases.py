"""Phrase the titles, labels and values of API definitions as people would say them."""

import datetime
import re

from benchloom.core.records import Parameter
from benchloom.core.records.values import Plain
from benchloom.worlds.suites.definitions.verbs import VERBS
from benchloom.worlds.suites.definitions.words import singular, words_of

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '&+-]*(?: \([A-Za-z0-9 -]+\))?")
_JOINED = re.compile(
    r"\b(?![A-Z][a-z]+(?:Time|Drop|Over|By|Play|Kit|Pods?|Phone)\b)\w*[a-z]{2}[A-Z]"
)
"""Words joined by capital letters as in code, except names such as FaceTime and AirDrop."""
_PLUMBING = frozenset(
    [
        *("auth", "bundle", "callback", "class", "command", "configuration", "deep", "entity"),
        *("entitys", "id", "identifier", "identifiers", "index", "intent", "intents", "json"),
        *("loc", "mode", "path", "pid", "prompt", "ssh", "token", "tool", "uid", "unknown"),
        *("uuid", "value", "values", "widget"),
    ]
)
"""Technical words in titles, which people do not say."""
_NO_LABELS = frozenset({"key", "password", "script", "sheet", "x"})
"""Words in the labels of parameters whose values people do not say."""
_ORDERS = frozenset({"add", "assign", "remove", "set"})
_LONGEST_LABEL, _LONGEST_NAME = 4, 2
_LONGEST_CAPITALS = 4
_UNNAMED = frozenset(
    {"state", "enabled", "on off", "target", "enable", "text", "input", "hide", "content"}
)
_HALF = 12
_PREPOSITIONS = frozenset(
    ["in", "on", "to", "via", "with", "from", "for", "using", "as", "of", "at", "over", "and"]
)
_BRANDS = frozenset({"Apple", "Chrome", "QR", "Safari", "Siri"})
_COUNTED = frozenset(
    [
        *("call", "document", "email", "message", "note", "payment", "photo", "podcast"),
        *("reminder", "reply", "tapback", "timer", "window", "workout"),
    ]
)
"""Nouns that get an article in an instruction, such as `send a message`."""
_EXISTING = frozenset({"end", "pause", "resume", "stop"})
_SHOWING = frozenset({"open", "launch", "show"})
_THING = re.compile(r"(?!search$|music$|media$)[a-z -]*[a-rt-z]")
"""Nouns of things that exist only once, such as the camera in `open the camera`."""
_LINKS = {"call": "with", "reply": "to", "tapback": "to"}
_SCREENS = ("Settings", "Setting", "Page")


def plain_title(title: str | None) -> str:
    """Return the title of an API or parameter if people would say it, else "".

    People would not say a title that is not English, or that contains a technical term.
    """
    text = (title or "").strip().removesuffix(" Entity")
    words = words_of(text)
    if not _PLAIN.fullmatch(text) or not _PLUMBING.isdisjoint(words) or _JOINED.search(text):
        return ""
    return "" if text.isupper() and len(text) > _LONGEST_CAPITALS else text


def label_of(parameter: Parameter) -> str:
    """Return the everyday name of a parameter, or "" if its title is not informative."""
    text = plain_title(parameter.title).lower()
    words = words_of(text)
    is_short = 0 < len(text.split()) <= _LONGEST_LABEL
    is_order = bool(words) and words[0] in _ORDERS and parameter.type != "Boolean"
    if not is_short or is_order or not _NO_LABELS.isdisjoint(words):
        return ""
    return text if " ".join(words) not in _UNNAMED else ""


def imperative(title: str, name: str) -> str:
    """Return a title that begins with a verb, such as `Open Camera` for the API OpenCamera.

    A title of one word without a verb, such as Camera, gets the verb of the API's name. The result
    is "" if there is no verb.
    """
    words = title.split()
    if not words or words_of(title)[0] in VERBS or title.startswith("Switch "):
        return title
    verb = words_of(name)[:1]
    return f"{verb[0].title()} {title}" if verb and verb[0] in VERBS and len(words) == 1 else ""


def phrase_of(title: str, app: str) -> str:
    """Return a title as an instruction in lower case, such as `send a message via Telegram`.

    Names after a preposition and names of brands and apps are capitalised.
    """
    first, *rest = title.split()
    if title.endswith(_SCREENS):
        return " ".join([first.lower(), *rest])
    phrase = [first.lower()]
    in_name = False
    for position, word in enumerate(rest):
        lower = word.lower()
        if lower in _PREPOSITIONS:
            in_name = True
            phrase.append(lower)
        elif (
            in_name
            or word in _BRANDS
            or any(sign.isupper() for sign in word[1:])
            or lower in app.lower()
        ):
            phrase.append(word)
        else:
            is_last = position + 1 == len(rest) or rest[position + 1].lower() in _PREPOSITIONS
            is_one = lower in _COUNTED and is_last and len(phrase) == 1
            definite = f"the {lower}" if first.lower() in _EXISTING else article(lower)
            phrase.append(definite if is_one else lower)
    if phrase[0] in _SHOWING and len(phrase) > 1 and not in_name and _THING.fullmatch(phrase[-1]):
        phrase[1] = phrase[1] if phrase[1].startswith(("a ", "an ")) else f"the {phrase[1]}"
    return " ".join(phrase)


def with_thing(title: str, noun: str, gap: str, app: str) -> str:
    """Return a title as an instruction about a thing, such as `open {note}` for `Open Note`.

    `gap` is the placeholder for the thing; the placeholder replaces the noun, or is appended.
    """
    verb, _, rest = phrase_of(title, app).partition(" ")
    for words in (noun, noun.split(maxsplit=1)[0], noun.rsplit(maxsplit=1)[-1]):
        noun_pattern = re.compile(
            rf"(^|\b(?:in|on|for|of) )(?:an? |the )?{re.escape(words)}s?"
            r"(?=$| (?:in|on|with|to|from)\b)",
            re.IGNORECASE,
        )
        if noun_pattern.search(rest):
            return f"{verb} {noun_pattern.sub(lambda match: match[1] + gap, rest, count=1)}"
    last = singular(rest.rpartition(" ")[2])
    if last == noun.rsplit(maxsplit=1)[-1]:
        return f"{verb} {gap}"
    return f"{verb} {rest} {_LINKS.get(last, 'for')} {gap}"


def without_app(noun: str, app: str) -> str:
    """Return a noun without the name of its app, such as `task` for `2do task`."""
    words = [word for word in noun.split() if word not in app.lower()]
    return " ".join(words) or noun


def article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def is_page(noun: str) -> bool:
    """Whether a noun means pages in the settings of an app."""
    return noun == "page" or noun.endswith(("deep link", "deep links", "settings"))


def setting_called(name: str) -> str:
    """Return the name of a setting as it is used in an instruction.

    Names of several words get quotation marks.
    """
    words = name.split()
    is_phrase = len(words) > _LONGEST_NAME or words[0].lower() in {*VERBS, "use", "block"}
    return f'"{name}"' if is_phrase else name


def switched(label: str, noun: str) -> tuple[str, str, str]:
    """Return an instruction to turn a property on or off, then the phrases for on and for off.

    The placeholder `{gap}` in the instruction stands for one of the phrases, `{thing}` for the
    thing with the property.
    """
    bare = label.removeprefix("is ")
    if bare == noun:
        return "{gap} {thing}", "turn on", "turn off"
    if bare == "favorite":
        return "mark {thing} {gap}", "as a favorite", "as not a favorite"
    if re.fullmatch(r"\w+(?:ed|den)", bare):
        return "mark {thing} {gap}", f"as {bare}", f"as not {bare}"
    return "{gap} for {thing}", f'turn on "{bare.title()}"', f'turn off "{bare.title()}"'


def worded(value: Plain, parameter: Parameter) -> tuple[str, bool]:
    """Return a person's words for a value, and whether these words lack the value itself."""
    if parameter.type_kind == "enum":
        titles = {case.value: case.title for case in parameter.enum_values}
        text = titles.get(str(value)) or str(value)
        text = text if " " in text else " ".join(words_of(text)) or text
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
