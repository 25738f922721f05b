"""The first words of a user who tells what to do, and leaves the facts for questions."""

import re
from collections.abc import Sequence

from benchloom.worlds.task import GoldCall, RequestedAnswer
from benchloom.worlds.user.facts import words_of
from benchloom.worlds.world import World

_VERBS = {"update": "change"}
_PLAIN = frozenset(
    [
        "create",
        "update",
        "delete",
        "send",
        "cancel",
        "pay",
        "forward",
        "lock",
        "unlock",
        "share",
        "modify",
        "add",
    ]
)
_FINDS = frozenset({"search", "find", "list", "get"})
_MINE = (
    (r"\bone of the user's\b", "one of my"),
    (r"\bof the user's own\b|\bof the user's\b|\bof the user\b", "of mine"),
    (r"\bthe user's\b", "my"),
    (r"\bthe user\b", "me"),
)
_OPENERS = ("I want to {}.", "I'd like to {}.", "Please help me to {}.", "I need to {}.")


def opening(
    calls: Sequence[GoldCall], question: RequestedAnswer | None, world: World, number: int
) -> str | None:
    """Return what the user says first; None if two things to do are of one tool.

    `number` chooses between equally good ways to begin.
    """
    writes = [call.tool for call in calls if not world.tools[call.tool].reads and not call.refused]
    if len(set(writes)) < len(writes):
        return None
    goals = [goal(tool, world) for tool in writes]
    if question is not None:
        goals.append(_to_know(calls[question.call].tool, question, world))
    if not goals:
        return None
    text = f"{', '.join(goals[:-1])} and {goals[-1]}" if len(goals) > 1 else goals[0]
    return _OPENERS[number % len(_OPENERS)].format(text)


def goal(tool: str, world: World) -> str:
    """Return what a tool does as a phrase that follows `I want to`."""
    name = tool.rpartition(".")[2]
    verb, _, thing = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().partition("_")
    if verb in _PLAIN and re.fullmatch(r"[a-z]+", thing):
        article = "an" if thing[0] in "aeiou" else "a"
        return f"{_VERBS.get(verb, verb)} {article} {thing}"
    about = re.split(r"[.;:,(]| - | The best match", world.tools[tool].about)[0].strip()
    for pattern, words in _MINE:
        about = re.sub(pattern, words, about)
    # Descriptions say what the tool does: it tells what the user wants to know.
    return re.sub(r"^tell ", "find out ", about[:1].lower() + about[1:])


def _to_know(tool: str, question: RequestedAnswer, world: World) -> str:
    last = question.path[-1] if question.path else ()
    fields = last if isinstance(last, tuple) else (last,)
    named = " and ".join(f"the {words_of(_bare(field))}" for field in fields if field != "")
    if not named or any(isinstance(field, int) for field in fields):
        return goal(tool, world)
    verb, _, things = tool.rpartition(".")[2].partition("_")
    if things:
        article = "an" if things[0] in "aeiou" else "a"
        found = verb in _FINDS and things.endswith("s")
        thing = things.removesuffix("s").replace("_", " ")
        return f"find out {named} of {article} {thing}" if found else goal(tool, world)
    return f"{goal(tool, world)} and find out {named}"


def _bare(field: str | int) -> str:
    return re.sub(r"_(?:ids?|cents)$", "", str(field))
