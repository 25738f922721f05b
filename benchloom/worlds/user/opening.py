"""The first words of a user who tells what to do, and leaves the facts for questions."""

import re
from collections import Counter
from collections.abc import Sequence

from benchloom.worlds.task import GoldCall, RequestedAnswer
from benchloom.worlds.user.facts import FINDS, changed_state, own_arguments, repeated
from benchloom.worlds.user.goals import goal_of
from benchloom.worlds.user.words import label_of, singular, with_article, words_of
from benchloom.worlds.world import World

_FIELDS = {
    "closed_on": "closing day",
    "changed_at": "time of the last change",
    "sent_at": "time of sending",
    "pieces": "number of pieces",
    "stars": "number of stars",
    "night": "price per night",
    "arrives": "arrival time",
    "departs": "departure time",
    "symbol": "stock symbol",
    "notes": "number of notes",
    "members": "number of members",
    "email": "mail address",
    "sky": "weather",
    "rain_percent": "chance of rain",
    "wind_kmh": "wind",
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
    "free_seats": "number of free seats",
    "number_checked_bags": "number of checked bags",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_OPENERS = ("I want to {}.", "I'd like to {}.", "Can you help me {}?", "Hi, I need to {}.")


def opening(
    calls: Sequence[GoldCall], question: RequestedAnswer | None, world: World, number: int
) -> str | None:
    """Return what the user says first; None if two things to do are called alike.

    `number` chooses between equally good ways to begin.
    """
    writes = [call for call in calls if not world.tools[call.tool].reads and not call.refused]
    several = Counter(call.tool for call in writes if call.tool in repeated(calls))
    goals = [_to_do(call, world) for call in writes if call.tool not in several]
    goals += [times(goal_of(tool, world), count) for tool, count in several.items()]
    if question is not None:
        goals.append(_to_know(calls[question.call].tool, question, world))
    alike = Counter(_changes(call) for call in writes if call.tool not in several)
    if not goals or max([*Counter(goals).values(), *alike.values()]) > 1:
        return None
    text = f"{', '.join(goals[:-1])} and {goals[-1]}" if len(goals) > 1 else goals[0]
    return _OPENERS[number % len(_OPENERS)].format(text)


def times(phrase: str, count: int) -> str:
    """Return a phrase for things that are done several times: open two lists."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else "several"
    several, replaced = re.subn(r"\ban? ([\w ]+)$", rf"{number} \1s", phrase)
    return several if replaced else f"{phrase} {'twice' if count == 2 else f'{number} times'}"


def _changes(call: GoldCall) -> tuple[str, ...]:
    """Return a tool and what it sets: two words for one change do not tell two calls apart."""
    return call.tool, *(name for name in sorted(call.arguments) if not name.endswith("_id"))


def _to_do(call: GoldCall, world: World) -> str:
    """Return what a call does: `lock a card`, `change the level of a device`."""
    own = own_arguments(call)
    return changed_state(call, world.goals) or goal_of(
        call.tool, world, own[0] if len(own) == 1 else ""
    )


def _to_know(tool: str, question: RequestedAnswer, world: World) -> str:
    last = question.path[-1] if question.path else ()
    fields = last if isinstance(last, tuple) else (last,)
    names = [label_of(str(field)) for field in fields if field != "" and not isinstance(field, int)]
    named = " and ".join(f"the {_FIELDS.get(name) or words_of(name)}" for name in names)
    phrase = goal_of(tool, world)
    if "{}" in phrase:
        return phrase.format(named or "something")
    verb, _, things = tool.rpartition(".")[2].partition("_")
    if named and verb in FINDS and things.endswith("s"):
        return f"find out {named} of {with_article(words_of(singular(things)))}"
    return phrase
