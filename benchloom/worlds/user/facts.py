"""The facts that the user of a task knows: values of its calls, and sentences that tell them."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.proving.leaves import leaves
from benchloom.worlds.task import GoldCall, Origin
from benchloom.worlds.user.questions import Fact

_GENERIC = frozenset({"query", "id", "keyword", "text_query", "by", "done"})
_TRUTHS = {"true": "yes", "false": "no"}
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(?::00)?)?")
_WORDS = {"from": "starting", "to": "destination", "num": "number of", "due": "due date"}
_WHOLE = {
    "where_to": "destination",
    "from": "starting place",
    "to": "destination",
    "until": "last day",
    "since": "first day",
    "login": "account",
}
_OPAQUE = re.compile(r"(?=.*[0-9])[A-Za-z0-9_-]{5,}|[0-9]{4,}")
_HIDDEN = frozenset({"token", "id", "password"})
_COUNTED = re.compile(r"number|amount|size|length|count|year|rating|level|stars|quantity|minutes")
_LONG = 4
_QUOTED = frozenset(["text", "message", "content", "title", "subject", "note", "memo", "label"])
_CENTS = 100


def facts_of(calls: Sequence[GoldCall]) -> dict[str, Fact] | None:
    """Return the facts by label, in the order of the calls; None if a label has two values."""
    facts: dict[str, Fact] = {}
    for _, (label, argument, value) in _numbered(calls):
        fact = Fact(label, _statement(label, argument, value), _truth(value) is not None)
        if facts.setdefault(label, fact) != fact:
            return None
    return facts


def yes_no_words(calls: Sequence[GoldCall], number: int) -> dict[str, str]:
    """Return the words that tell yes or no in the facts of a call, by argument."""
    return {
        argument: f"{words_of(label)}: {_truth(value)}"
        for each, (label, argument, value) in _numbered(calls)
        if each == number and _truth(value) is not None
    }


def words_of(label: str) -> str:
    """Return a label as people say it: `from_city` is the starting city."""
    if label in _WHOLE:
        return _WHOLE[label]
    parts = [part for part in label.split("_") if part not in {"is", "has"}]
    return " ".join(_WORDS.get(part, part) for part in parts)


def _numbered(calls: Sequence[GoldCall]) -> Iterator[tuple[int, tuple[str, str, Plain]]]:
    """Yield the values that the user tells: call, label, argument and value."""
    users = _users(calls)
    for number, call in enumerate(calls):
        if call.refused is not None:
            continue
        origins = {origin.argument.partition(".")[0]: origin for origin in call.origins}
        for name, value in call.arguments.items():
            if name in origins and (is_from_user(origins[name]) or _is_choice(name, value)):
                label = (
                    users.get(number, _entity_name(call.tool)) if name in _GENERIC else _label(name)
                )
                yield number, (label, name, value)


def _is_choice(name: str, value: Plain) -> bool:
    """Whether a value from a result is one that a user would choose by its name."""
    parts = name.split("_")
    return (
        isinstance(value, str)
        and name == _label(name)
        and _HIDDEN.isdisjoint(parts)
        and _OPAQUE.fullmatch(value) is None
    )


def relations_in(calls: Sequence[GoldCall]) -> bool:
    """Whether an argument takes a field of a result that only the plan relates to the task.

    An id stands for a thing that the user names; another field, such as the city of a person,
    does not.
    """
    return any(
        origin.kind == "result" and not _is_reference(name)
        for call in calls
        for origin in call.origins
        for name in [origin.argument.partition(".")[0]]
    )


def is_from_user(origin: Origin) -> bool:
    """Whether a value comes from the user."""
    return origin.kind in {"turn", "words"} or (origin.kind == "clock" and origin.place >= 0)


def _users(calls: Sequence[GoldCall]) -> dict[int, str]:
    """Return for each call the label of the first argument that takes its result."""
    users: dict[int, str] = {}
    for call in calls:
        for origin in call.origins:
            if origin.kind == "result":
                name = origin.argument.partition(".")[0]
                if _is_reference(name):
                    users.setdefault(origin.place, _label(name))
    return users


def _is_reference(argument: str) -> bool:
    return argument.endswith(("_id", "_ids"))


def _label(argument: str) -> str:
    return re.sub(r"_(?:ids?|cents)$", "", argument)


def _entity_name(tool: str) -> str:
    """Return the thing that a read finds: `search_reminders` finds a reminder."""
    return tool.rpartition(".")[2].rpartition("_")[2].removesuffix("s").lower()


def _truth(value: Plain) -> str | None:
    return _TRUTHS.get(str(value).lower()) if isinstance(value, bool | str) else None


def _statement(label: str, argument: str, value: Plain) -> str:
    words = words_of(label)
    truth = _truth(value)
    if truth is not None:
        return f"{words[0].upper()}{words[1:]}: {truth}."
    text = " and ".join(_spoken(argument, leaf) for _, leaf in leaves(value))
    if re.fullmatch(r"[0-9]+", text) and label.endswith("s") and not _COUNTED.search(label):
        words = f"number of {words}"
    if text == value and (len(text.split()) > _LONG or label in _QUOTED):
        return f'The {words} is "{text}"' + ("" if text.endswith((".", "?", "!")) else ".")
    are = "are" if isinstance(value, list) and len(value) > 1 else "is"
    return f"The {words} {are} {text}."


def _spoken(argument: str, value: bool | float | str) -> str:
    if argument.endswith("_cents") and isinstance(value, int):
        whole, rest = divmod(value, _CENTS)
        return f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns"
    match = _MOMENT.fullmatch(str(value))
    if match is None:
        return str(value).replace("_", " ") if " " not in str(value) else str(value)
    try:
        day = datetime.date.fromisoformat(match[1])
    except ValueError:
        return str(value)
    return f"{day.day} {day:%B} {day.year}" + (f" at {match[2]}" if match[2] else "")


def values_of(calls: Sequence[GoldCall]) -> Mapping[str, list[tuple[str, Plain]]]:
    """Return the values of each fact, with the arguments that take them."""
    values: dict[str, list[tuple[str, Plain]]] = {}
    for _, (label, argument, value) in _numbered(calls):
        values.setdefault(label, []).append((argument, value))
    return values
