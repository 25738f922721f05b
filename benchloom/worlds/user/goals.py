"""Word the purposes of tools, from `World.goals` or from their names and descriptions."""

import re
from collections.abc import Mapping

from benchloom.worlds.user.words import PROPER, label_of, verb_and_thing, with_article, words_of
from benchloom.worlds.world import World

_VERBS = {"update": "change", "modify": "change", "search": "look up"}
_CHANGES = frozenset({"update", "modify"})
NAMES = frozenset({"name", "title", "label"})
_MINE = (
    (r"\bone of the user's\b", "one of my"),
    (r"\bof the user's own\b|\bof the user's\b|\bof the user\b", "of mine"),
    (r"\bthe user's\b", "my"),
    (r"\bthe user\b", "me"),
)
_TITLES = {
    "play media": "play a media item",
    "search on web": "search the web",
    "search in Chrome": "search the web in Chrome",
    "change monitoring": "change the mode of monitoring",
}
_UNCOUNTED = frozenset(
    {"radio", "media", "music", "web", "monitoring", "service", "bluetooth", "somebody"}
)
_JOINS = re.compile(r"\b(?:on|in|to|via|with|by|for|from|the|my|your|of|a|an)\b")
_PLAIN = frozenset(
    re.findall(
        "[a-z]+",
        "create update delete send cancel pay forward lock unlock share modify add open show stop"
        " play start",
    )
)


def _common(match: re.Match[str]) -> str:
    return match[0] if match[0] in PROPER else match[0].lower()


def _title(match: re.Match[str]) -> str:
    """Return a matched title with an article before its noun: `open a list` for `open list`."""
    noun = match[2]
    is_counted = not noun.endswith("s") and noun.split()[-1] not in _UNCOUNTED
    is_noun = not _JOINS.search(noun) and is_counted
    return f"{match[1]} {with_article(noun) if is_noun else noun}"


def phrase_of(tool: str, goals: Mapping[str, str], argument: str = "") -> str:
    """Return an everyday phrase for what a tool does, such as `look up a note`.

    `goals` maps tools to phrases that have priority, as in `World`. Pass `argument` if the call
    changes only this argument.
    """
    phrase = goals.get(f"{tool} {argument}") or goals.get(tool)
    if phrase is not None:
        return phrase
    verb, thing = verb_and_thing(tool)
    noun = words_of(thing)
    a_noun = noun if thing in _UNCOUNTED else with_article(noun)
    if verb in _CHANGES and argument in NAMES:
        return f"rename {a_noun}"
    if verb in _CHANGES and argument:
        return f"change the {words_of(label_of(argument))} of {a_noun}"
    return f"{_VERBS.get(verb, verb)} {a_noun}"


def goal_of(tool: str, world: World, argument: str = "") -> str:
    """Return the purpose of a tool as a phrase that can follow `I want to`.

    Pass `argument` if the call changes only this argument. The phrase of a question contains `{}`
    for the names of the requested fields.
    """
    verb, thing = verb_and_thing(tool)
    is_listed = f"{tool} {argument}" in world.goals or tool in world.goals
    if is_listed or (verb in _PLAIN and re.fullmatch(r"[a-z]+", thing)):
        return phrase_of(tool, world.goals, argument)
    about = re.split(r"[.;:,(]| - | The best match", world.tools[tool].about)[0].strip()
    for pattern, words in _MINE:
        about = re.sub(pattern, words, about)
    # A capital after the first word shows that the description is a title: `Play Media`.
    about = re.sub(r"(?<= )[A-Z][a-z]+", _common, about)
    about = about[:1].lower() + about[1:]
    if about in _TITLES:
        return _TITLES[about]
    about = re.sub(r"^(\w+ to) ([a-z]+)$", r"\1 a \2", about)
    about = re.sub(r"^(\w+) ((?:new )?\w+(?: [a-z]+){0,2}?)(?: with \w+)?$", _title, about)
    return re.sub(r"^(?:tell|return) ", "find out ", about)
