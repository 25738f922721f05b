"""Derive the facts that the user of a task knows, which are sentences with values of the calls."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.task import GoldCall, Origin
from benchloom.worlds.user.goals import NAMES, phrase_of
from benchloom.worlds.user.questions import Fact
from benchloom.worlds.user.statements import (
    OPAQUE,
    Value,
    day_words,
    fact_of,
    truth_of,
    truth_words,
)
from benchloom.worlds.user.words import (
    OF_A_THING,
    label_of,
    singular,
    verb_and_thing,
    with_article,
    words_of,
)

_GENERIC = frozenset({"query", "id", "keyword", "text_query", "by", "done", "target"})
_HIDDEN = frozenset({"token", "id", "password"})
_KINDS = frozenset({"kind", "status"})
_FOLDERS = frozenset({"folder", "thread", "notebook", "list", "city", "date"})
"""Labels of facts that only help to find a thing, such as the folder of a mail."""
_PEOPLE = frozenset({"person", "contact"})
_RENAMED = {
    "is_on": "switch_position",
    "of": "number",
    "body": "text",
    "degrees": "temperature",
    "new_alarm_time": "alarm_time",
    "new_alarm_name": "alarm_name",
    "new_appointment_date": "new_date",
    "new_appointment_doctor": "new_doctor",
    "number_checked_bags": "number_of_checked_bags",
    "city_of_event": "city",
    "date_of_event": "date",
}
_CODE = re.compile("[a-z]{1,3}")
_DEEDS = {"convert": "conversion", "pay": "payment", "message": "message", "invite": "invitation"}
"""A mapping from a tool's verb to a noun for what it does: `pay_person` makes a payment."""
_SEARCHED = frozenset({"content", "query", "keyword", "search_phrase"})
FINDS = frozenset({"search", "find", "list", "get"})
"""The verbs of tools that find a value for another call."""
_NAMING = frozenset({"create", "delete", "change", "update", "add", "search", "open"})


def facts_of(calls: Sequence[GoldCall], goals: Mapping[str, str]) -> dict[str, Fact] | None:
    """Return a mapping from labels to the facts of a task, in the order of the calls.

    Return None if two different facts have the same label, or if no sentence can state a value: the
    value is `none`, or it is yes or no and its argument has no informative name. `goals` maps tools
    to their purposes, as in `World`.
    """
    values = list(_values(calls, goals))
    if any(
        str(value.value).lower() == "none"
        or (truth_of(value.value) is not None and value.argument in _GENERIC)
        for value in values
    ):
        return None
    facts: dict[str, Fact] = {}
    for value, scope in _with_scopes(values, calls, goals):
        fact = fact_of(value, scope)
        if facts.setdefault(fact.label, fact) != fact:
            return None
    return facts


def values_of(
    calls: Sequence[GoldCall], goals: Mapping[str, str]
) -> Mapping[str, list[tuple[str, Plain]]]:
    """Return a mapping from the label of each fact to the arguments and values that it states."""
    values: dict[str, list[tuple[str, Plain]]] = {}
    for value, scope in _with_scopes(list(_values(calls, goals)), calls, goals):
        values.setdefault(fact_of(value, scope).label, []).append((value.argument, value.value))
    return values


def spoken_values(calls: Sequence[GoldCall], goals: Mapping[str, str]) -> list[dict[str, str]]:
    """Return, for each call, a mapping from arguments to the words in which the user states them.

    A mapping contains only arguments whose value the words do not contain literally: yes or no,
    choices and days.
    """
    values: list[dict[str, Value]] = [{} for _ in calls]
    for value in _values(calls, goals):
        values[value.call][value.argument] = value
    return list(map(_spoken_in, calls, values))


def _spoken_in(call: GoldCall, values: Mapping[str, Value]) -> dict[str, str]:
    texts = {
        name: truth_words(value.label, truth)
        for name, value in values.items()
        if (truth := truth_of(value.value)) is not None
    }
    for origin in call.origins:
        if origin.kind == "words" and origin.argument not in texts:
            value = values.get(origin.argument)
            if value is None or value.words:
                texts[origin.argument] = origin.told
    return texts | {
        name: words for name, value in values.items() if (words := day_words(value.value))
    }


def takes_result_fields(calls: Sequence[GoldCall]) -> bool:
    """Whether an argument that is not an id takes its value from the result of an earlier call.

    An id represents a thing that the user mentions. If an argument takes another value from a
    result, such as a person's city, only the plan shows this, not the user's words.
    """
    return any(
        origin.kind == "result" and not _is_reference(name)
        for call in calls
        for origin in call.origins
        for name in [origin.argument.partition(".")[0]]
    )


def has_unrelated_read(calls: Sequence[GoldCall], reads: Callable[[str], bool]) -> bool:
    """Whether a read call is unrelated to the calls of the plan that change data.

    It is unrelated if it reads from an app that the plan does not change, and no later call uses an
    id of its result. `reads` returns whether a tool only reads.
    """
    consumers = _consumers(calls)
    apps = {call.tool.partition(".")[0] for call in calls if not reads(call.tool)}
    return bool(apps) and any(
        reads(call.tool) and number not in consumers and call.tool.partition(".")[0] not in apps
        for number, call in enumerate(calls)
    )


def is_from_user(origin: Origin) -> bool:
    """Whether the user states a value, exactly or relative to the clock, as in `tomorrow`."""
    return origin.kind in {"turn", "words"} or (origin.kind == "clock" and origin.place >= 0)


def state_words(call: GoldCall) -> str | None:
    """Return the user's word for a call that only sets a state, such as `lock` for `blocked`.

    Return None for any other call.
    """
    words = {
        origin.argument: origin.told
        for origin in call.origins
        if origin.kind == "words" and truth_of(call.arguments.get(origin.argument)) is not None
    }
    others = [
        origin for origin in call.origins if origin.argument not in words and is_from_user(origin)
    ]
    if len(words) != 1 or others or not verb_and_thing(call.tool)[0].startswith(("update", "set")):
        return None
    return next(iter(words.values()))


def repeated_tools(calls: Sequence[GoldCall]) -> frozenset[str]:
    """Return the tools that the plan calls several times, each time with a single argument.

    An example is a plan that opens two lists. The values of these calls form a single fact, because
    nothing else distinguishes the calls.
    """
    consumers = _consumers(calls)
    own_calls = [
        call for n, call in enumerate(calls) if call.refused is None and n not in consumers
    ]
    counts = Counter(call.tool for call in own_calls)
    mixed = {
        call.tool
        for call in own_calls
        if len(call.arguments) != 1 or not all(is_from_user(origin) for origin in call.origins)
    }
    return frozenset(tool for tool, count in counts.items() if count > 1 and tool not in mixed)


def changed_state(call: GoldCall, goals: Mapping[str, str]) -> str | None:
    """Return a phrase for a call that only sets a state, such as `lock a card`.

    Return None for any other call.
    """
    state = state_words(call)
    if state is None:
        return None
    template = phrase_of(call.tool, goals, "state")
    if "{}" in template:
        return template.format(state)
    noun = words_of(verb_and_thing(call.tool)[1])
    if state in {"unread", "read"}:
        return f"mark {with_article(noun)} as {state}"
    setting = noun.removesuffix(" state")
    return f"{state} {setting if setting != noun else with_article(noun)}"


def own_arguments(call: GoldCall) -> list[str]:
    """Return the names of a call's arguments, except the id of the changed thing."""
    thing = words_of(verb_and_thing(call.tool)[1])
    return [
        name
        for name in call.arguments
        if not (name.endswith("_id") and words_of(label_of(name)).endswith(thing))
    ]


def _values(calls: Sequence[GoldCall], goals: Mapping[str, str]) -> Iterator[Value]:
    consumers = _consumers(calls)
    repeated = repeated_tools(calls)
    for number, call in enumerate(calls):
        if call.refused is not None or state_words(call) is not None:
            continue
        if call.tool in repeated:
            if number == next(n for n, other in enumerate(calls) if other.tool == call.tool):
                yield _list_of(number, [other for other in calls if other.tool == call.tool])
            continue
        is_search = verb_and_thing(call.tool)[0] in FINDS
        goal, entity = number, consumers[number][1] if is_search and number in consumers else None
        while goal in consumers and verb_and_thing(calls[goal].tool)[0] in FINDS:
            goal = consumers[goal][0]
        origins = {origin.argument.partition(".")[0]: origin for origin in call.origins}
        values = {
            name: value
            for name, value in call.arguments.items()
            if name in origins and (is_from_user(origins[name]) or _is_choice(name, value))
        }
        phrase = phrase_of(calls[goal].tool, goals)
        kinds = [
            name
            for name, value in values.items()
            if name in _KINDS
            or (
                origins[name].kind == "words"
                and truth_of(value) is not None
                and origins[name].told.isalpha()
                and origins[name].told.islower()
            )
        ]
        names = values.keys() - kinds
        is_named = not names.isdisjoint(_GENERIC) or (entity is not None and len(names) == 1)
        kinds = kinds if is_search and is_named else []
        kind = " ".join(origins[name].told for name in kinds)
        for name, value in values.items():
            if name in kinds or (origins[name].told in phrase and origins[name].kind == "words"):
                continue
            only = (
                name not in _KINDS
                and len(values) == 1 + len(kinds)
                and isinstance(value, str)
                and not name.endswith("y")
            )
            if entity is not None and (name in _GENERIC or only):
                yield Value(number, goal, name, value, entity, kind)
            else:
                words = origins[name].told if _CODE.fullmatch(str(value)) else day_words(value)
                adjective = kind if name in _GENERIC else ""
                yield Value(
                    number, goal, name, value, _label_with_thing(name, call.tool), adjective, words
                )


def _list_of(number: int, calls: Sequence[GoldCall]) -> Value:
    ((argument, _),) = calls[0].arguments.items()
    values: list[Plain] = []
    for call in calls:
        value = call.arguments[argument]
        values += value if isinstance(value, list) else [value]
    return Value(number, number, argument, values, _label_with_thing(argument, call.tool))


def _label_with_thing(argument: str, tool: str) -> str:
    """Return the label of an argument, with the entity if needed: `list_name` for `name`."""
    label = label_of(argument)
    verb, thing = verb_and_thing(tool)
    if label in _RENAMED:
        return _RENAMED[label]
    if verb == "search" and label in _SEARCHED and not tool.rpartition("_")[2].endswith("s"):
        return "search_words"
    if verb == "search" and label == "since":
        return "earliest_date"
    if label == "type":
        return f"{singular(thing.partition('_')[0])}_type"
    if argument in _GENERIC:
        return thing
    if verb == "update" and label in NAMES:
        return f"new_{words_of(thing).replace(' ', '_')}_{label}"
    if label in OF_A_THING | _KINDS and thing and verb in _NAMING:
        return f"{thing}_{label}"
    return label


def _is_choice(name: str, value: Plain) -> bool:
    """Whether a value from a result is a choice that a user would name, and not an id."""
    parts = name.split("_")
    return (
        isinstance(value, str)
        and name == label_of(name)
        and _HIDDEN.isdisjoint(parts)
        and OPAQUE.fullmatch(value) is None
    )


def _consumers(calls: Sequence[GoldCall]) -> dict[int, tuple[int, str]]:
    """Return a mapping from each call to the first later call that uses an id of its result.

    The later call is represented by its number and the label of the id.
    """
    consumers: dict[int, tuple[int, str]] = {}
    for number, call in enumerate(calls):
        for origin in call.origins:
            name = origin.argument.partition(".")[0]
            if origin.kind == "result" and _is_reference(name) and not call.refused:
                consumers.setdefault(origin.place, (number, label_of(name)))
    return consumers


def _is_reference(argument: str) -> bool:
    return argument.endswith(("_id", "_ids"))


def _with_scopes(
    values: Sequence[Value], calls: Sequence[GoldCall], goals: Mapping[str, str]
) -> Iterator[tuple[Value, str]]:
    counts = Counter(label for label, _ in {(value.label, str(value.value)) for value in values})
    scopes = [
        _scope(value.label, calls[value.goal], goals) if counts[value.label] > 1 else ""
        for value in values
    ]
    things = {
        value.goal: f"of the {words_of(value.label)} {scope}"
        for value, scope in zip(values, scopes, strict=True)
        if scope.startswith("to ")
    }
    consumers = _consumers(calls)
    for value, scope in zip(values, scopes, strict=True):
        user = consumers.get(value.call)
        is_beside = user is not None and user != (value.goal, value.label)
        of_thing = things.get(value.goal, "") if is_beside and value.label in _FOLDERS else ""
        yield value, scope or of_thing


def _scope(label: str, call: GoldCall, goals: Mapping[str, str]) -> str:
    """Return words that say what a value is for, such as `to delete` or `for the alarm`."""
    names = own_arguments(call)
    phrase = changed_state(call, goals) or phrase_of(
        call.tool, goals, names[0] if len(names) == 1 else ""
    )
    noun = "somebody(?!')" if label in _PEOPLE else rf"(?:an?|my) {words_of(label)}"
    direct = re.fullmatch(rf"(?!let|stop)(.+?) {noun}(|(?: to| for| along| as| into).*)", phrase)
    let = re.match(r"(?:let|stop letting) somebody ([\w ]+?)(?: for some time)?$", phrase)
    if let is not None and label in _PEOPLE:
        return f"who may {let[1]}"
    start = re.match(rf"have an? {words_of(label)} (start .+)", phrase)
    if start is not None:
        return f"to {start[1]}"
    if direct is not None:
        suffix = direct[2] if label in _PEOPLE or direct[2].startswith(" into") else ""
        return f"to {direct[1]}{suffix}"
    verb, thing = verb_and_thing(call.tool)
    thing = _DEEDS.get(verb) or words_of(thing.rpartition("_at_")[2])
    if thing == words_of(label):
        return ""
    return f"for the {thing or phrase.partition(' ')[0]}"
