"""Turn the names of tools and arguments into everyday words."""

import re
from collections.abc import Sequence

_WORDS = {
    "from": "starting",
    "to": "destination",
    "num": "number of",
    "due": "due date",
    "url": "URL",
}
_AN = re.compile("[aeio]|u(?!rl|ser|ni)", re.IGNORECASE)
_WHOLE = {
    "where_to": "destination",
    "from": "starting place",
    "to": "destination",
    "until": "last day",
    "since": "first day",
    "login": "account",
    "thread": "chat",
    "directed_by": "director",
    "starring": "actor",
    "cast": "actor",
    "mode": "means of transport",
    "party_size": "number of people",
    "to_unit": "target unit",
    "to_scale": "target scale",
    "to_language": "target language",
    "to_time": "new time",
    "from_time": "old time",
    "minutes_before": "number of minutes beforehand",
    "check_in": "check-in date",
    "check_out": "check-out date",
    "check_in_date": "check-in date",
    "check_out_date": "check-out date",
    "date_of_journey": "travel date",
    "journey_start_time": "departure time",
    "stay_length": "number of days",
    "new": "new word",
    "old": "old word",
    "track": "song",
    "intent": "purpose",
    "start": "start time",
    "end": "end time",
    "percent": "percentage",
    "provider_type": "kind of provider",
    "expression": "formula",
    "phone": "phone number",
    "airlines": "airline",
    "people": "number of people",
    "due": "due date",
    "due_date": "due date",
    "property_name": "name of the property",
}
PROPER = frozenset({"Chrome", "Trello", "Todoist", "Wunderlist", "Imgur"})
"""Names of apps that occur in titles and parameters of tools."""
OF_A_THING = frozenset({"name", "title", "label", "kind", "level", "room", "relation", "color"})
"""Labels that are clear only with the thing that they describe, as in "the name of the list"."""


def label_of(argument: str) -> str:
    """Return the name of an argument without its suffix, such as `note` for `note_id`."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", re.sub("^WF", "", argument)).lower()
    return re.sub(r"_(?:ids?|cents)$", "", split)


def words_of(label: str) -> str:
    """Return a label in everyday words, such as `starting city` for `from_city`."""
    if label in _WHOLE:
        return _WHOLE[label]
    if label.endswith("_count"):
        noun = label.removesuffix("_count")
        return f"number of {'children' if noun == 'child' else f'{noun}s'}"
    parts = [part for part in label.split("_") if part not in {"is", "has"}]
    if len(parts) > 1 and parts[0].capitalize() in PROPER:
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] in OF_A_THING and parts[0] not in {"hotel", "new"}:
        return f"{parts[-1]} of the {words_of('_'.join(parts[:-1]))}"
    return " ".join(_WORDS.get(part, part) for part in parts).replace("due date date", "due date")


def verb_and_thing(tool: str) -> tuple[str, str]:
    """Return the verb and the noun in a tool's name: `search`, `note` for `notes.search_notes`."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tool.rpartition(".")[2]).lower()
    verb, _, thing = re.sub("(?:_app)?_intent$", "", name).partition("_")
    if thing.startswith(("add_", "create_")):  # the first word is the app: `trello_add_card`
        verb, _, thing = thing.partition("_")
    return verb, singular(re.sub("^(?:to|for|from|of|at)_", "", thing))


def singular(noun: str) -> str:
    """Return the singular of an English noun, such as `company` for `companies`."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun.removesuffix("s") if not noun.endswith(("ss", "us", "news")) else noun


def plural(noun: str) -> str:
    """Return the plural of an English noun, such as `companies` for `company`."""
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(?:s|x|ch|sh)$", noun) else f"{noun}s"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, such as `an event`."""
    return f"{'an' if _AN.match(noun) else 'a'} {noun}"


def joined(parts: Sequence[str]) -> str:
    """Join the parts of a list as people say them, such as `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
