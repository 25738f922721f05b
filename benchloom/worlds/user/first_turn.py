"""Word the user's first turn in a dialogue, which states the goals but not the facts."""

import re
from collections import Counter
from collections.abc import Sequence

from benchloom.worlds.task import GoldCall, RequestedAnswer
from benchloom.worlds.user.facts import FINDS, changed_state, own_arguments, repeated_tools
from benchloom.worlds.user.goals import goal_of
from benchloom.worlds.user.statements import STATES
from benchloom.worlds.user.words import joined, label_of, plural, singular, with_article, words_of
from benchloom.worlds.world import World

_FIELDS = {
    "closed_on": "closing day",
    "night": "price per night",
    "symbol": "stock symbol",
    "notes": "number of notes",
    "members": "number of members",
    "email": "mail address",
    "sky": "weather",
    "rain_percent": "chance of rain",
    "wind": "wind speed",
    "wind_kmh": "wind speed",
    "high_celsius": "highest temperature",
    "low_celsius": "lowest temperature",
    "days": "number of days",
    "working_days": "number of working days",
    "mean": "average",
    "directed_by": "director",
    "starring": "actors",
    "cast": "actors",
    "passengers": "number of passengers",
    "from_station": "departure station",
    "to_station": "arrival station",
    "outbound_arrival_time": "arrival time",
    "flight_class": "class",
    "number_checked_bags": "number of checked bags",
}
_CLAUSES = {
    "changed_at": "when {} was last changed",
    "sent_at": "when {} was sent",
    "departs": "when {} leaves",
    "arrives": "when {} arrives",
    "start": "when {} begins",
    "end": "when {} ends",
    "pieces": "how many pieces of {} are left",
    "free_seats": "how many seats are free on {}",
    "stars": "how many stars {} has",
    "due": "when {} is due",
    "due_date": "when {} is due",
    "arrives_next_day": "whether {} arrives on the next day",
    "free_entry": "whether entry to {} is free",
}
_VERBS = frozenset({"has", "serves", "offers", "arrives"})
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_OPENERS = ("I want to {}.", "I'd like to {}.", "Can you help me {}?", "Hi, I need to {}.")


def opening(
    calls: Sequence[GoldCall], question: RequestedAnswer | None, world: World, number: int
) -> str | None:
    """Return the user's first turn, which states the goals of the calls and of the question.

    Return None if two goals have the same words, or if the words for a goal cannot refer to the
    thing that another goal creates. `number` chooses between equivalent wordings.
    """
    writes = [call for call in calls if not world.tools[call.tool].reads and not call.refused]
    counts = Counter(call.tool for call in writes if call.tool in repeated_tools(calls))
    goals = [to_do(call, calls, world) for call in writes if call.tool not in counts]
    goals += [times(goal_of(tool, world), count) for tool, count in counts.items()]
    if question is not None:
        goals.append(_to_know(calls[question.call].tool, question, world))
    alike = Counter(_changes(call) for call in writes if call.tool not in counts)
    if not goals or "" in goals or max([*Counter(goals).values(), *alike.values()]) > 1:
        return None
    return _OPENERS[number % len(_OPENERS)].format(joined(goals))


def times(phrase: str, count: int) -> str:
    """Return a phrase for an action that is repeated `count` times, such as `open two lists`."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else "several"
    counted, replaced = re.subn(
        r"\ban? ([\w ]+)$", lambda match: f"{number} {plural(match[1])}", phrase
    )
    return counted if replaced else f"{phrase} {'twice' if count == 2 else f'{number} times'}"


def _changes(call: GoldCall) -> tuple[str, ...]:
    return call.tool, *(name for name in sorted(call.arguments) if not name.endswith("_id"))


def to_do(call: GoldCall, calls: Sequence[GoldCall], world: World) -> str:
    """Return the words for a call, such as `lock a card`, or "" if they would be ambiguous."""
    names = own_arguments(call)
    phrase = changed_state(call, world.goals) or goal_of(
        call.tool, world, names[0] if len(names) == 1 else ""
    )
    earlier = calls[: calls.index(call)]
    writes = [other for other in earlier if not world.tools[other.tool].reads]
    for origin in call.origins:
        if origin.kind != "result" or not origin.argument.endswith("_id"):
            continue
        noun = words_of(label_of(origin.argument))
        thing = rf"\b(?:an? {noun}|one of my {noun}s)\b"
        value = call.arguments[origin.argument]
        same = [other for other in writes if value in other.arguments.values()]
        if any(re.search(thing, to_do(other, calls, world)) for other in same):
            phrase = re.sub(thing, f"that {noun}", phrase)
        elif not same and calls[origin.place] in writes:
            phrase, count = re.subn(thing, f"the new {noun}", phrase)
            if not count:
                return ""
    return phrase


def _to_know(tool: str, question: RequestedAnswer, world: World) -> str:
    last = question.path[-1] if question.path else ()
    fields = last if isinstance(last, tuple) else (last,)
    names = [label_of(str(field)) for field in fields if field != "" and not isinstance(field, int)]
    name = names[0] if len(names) == 1 else ""
    phrase = goal_of(tool, world, name)
    is_listed = tool in world.goals or f"{tool} {name}" in world.goals
    verb, _, things = tool.rpartition(".")[2].partition("_")
    if "{}" not in phrase and not is_listed and verb in FINDS and things.endswith("s"):
        phrase = f"find out {{}} of {with_article(words_of(singular(things)))}"
    clause = _clause_of(name) if name else ""
    about = re.fullmatch(r"find out \{\} of (.+)", phrase)
    if about is not None and clause:
        return f"find out {clause.format(about[1])}"
    nouns = [f"the {_FIELDS.get(name) or words_of(name)}" for name in names]
    return phrase.format(joined(nouns) or "something")


def _clause_of(field: str) -> str:
    """Return an indirect question about a field, such as `whether {} is open`, or "".

    The placeholder `{}` stands for the object with the field.
    """
    verb, _, rest = field.partition("_")
    if field in _CLAUSES:
        return _CLAUSES[field]
    if field in STATES or verb == "is":
        return f"whether {{}} is {words_of(field)}"
    if field.endswith("_allowed"):
        thing = words_of(field.removesuffix("_allowed"))
        return f"whether {thing} {'are' if thing.endswith('s') else 'is'} allowed in {{}}"
    return f"whether {{}} {verb} {words_of(rest)}" if verb in _VERBS else ""
