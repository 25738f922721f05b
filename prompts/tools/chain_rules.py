"""Decide whether a person would want the result of a chain of tool calls.

A chain begins with a call whose inputs a person can say. The call finds or makes something. The
chain ends in an effect, or in a result that is an answer. Nobody wants a chain that ends in an
intermediate result, or that makes a thing only to change or remove it again.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from prompts.language.actions import ON_THE_WAY, PLUMBING, SOURCES
from prompts.language.words import stem, title_words, word_set
from prompts.tools.tool import Tool

_FINDS = word_set(
    "browse check choose detect dictate download fetch filter find get import list look lookup "
    "pick record scan search take"
)
_CHANGES = frozenset({"change", "edit", "modify", "rename", "set", "update"})
_MAKES = frozenset({"create", "duplicate", "generate", "make", "new"})
_PUTS = frozenset({"add", "put"})
_REMOVES = frozenset({"clear", "delete", "discard", "remove", "trash"})
_LOOKS = frozenset({"copy", "highlight", "quick", "reveal", "show", "switch", "view"})
_LATER = word_set(
    "archive bookmark compress duplicate email favorite favourite flip hide join pin rotate save"
)
"""Verbs of actions that people take on a thing only some time after they made it."""
_SEARCHES = frozenset({"find", "look", "lookup", "search"})
_SELECTS = frozenset({"choose", "pick", "select"})
_CONTAINERS = (["folder"], ["group"])
"""Objects that show nothing as long as they are empty."""
_POSITIONS = frozenset({"next", "paste", "previous"})
"""Words of actions within something that has already begun, such as "Show Previous Step"."""
_PREPOSITIONS = word_set("as at for from in into of on to with")
_STOPS = frozenset({"close", "dismiss", "stop"})
_SAYABLE = re.compile(
    r"string|text|bool|int|number|decimal|double|float|date|time|duration|url|uri|email|phone|"
    r"enum|picker|location|place|person|contact|currency|quantity|measurement",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"file|image|photo|asset|media|pdf|data|content|item|gif|video|audio|attachment|any|object",
    re.IGNORECASE,
)
"""Matches types of values that nobody can say, so that a call that needs one cannot be the
first."""
_TAKES_INPUT = re.compile(
    r"\b(?:passed (?:in|as|to)|previous action|the (?:input|passed)|as input|given (?:image|photo)"
    r"|provided (?:file|image|pdf)|given a list of)",
    re.IGNORECASE,
)
_HOLDS = re.compile(r"^passes the (?:specified|given)|to the next action", re.IGNORECASE)


def is_plumbing(tool: Tool) -> bool:
    """Whether a tool only stores a value, asks the user or controls a program."""
    plumbing = tool.api in PLUMBING or _name(tool) == "ask"
    return plumbing or _HOLDS.search(tool.description) is not None


def selects_only(tool: Tool) -> bool:
    """Whether a tool only selects among the objects that it receives."""
    return _name(tool) == "choosefromlist"


def can_begin(tool: Tool) -> bool:
    """Whether a chain can begin with a tool.

    A person must be able to state the tool's inputs, and the tool must find or make something new.
    A search within things that the person has to name finds nothing new.
    """
    needed = [parameter for parameter in tool.parameters if not parameter.optional]
    return (
        bool(tool.returns)
        and _name(tool) not in ON_THE_WAY
        and not _TAKES_INPUT.search(tool.description)
        and not any(
            _MATERIAL.search(parameter.type) and not _SAYABLE.search(parameter.type)
            for parameter in needed
        )
        and not (
            _verb(tool) in _SEARCHES
            and {parameter.type for parameter in needed if parameter.is_list}
            & {field.type for field in tool.returns}
        )
        and (_verb(tool) in _FINDS | _MAKES or _name(tool) in SOURCES)
    )


def can_follow(tool: Tool, following: Tool) -> bool:
    """Whether a person would want the second tool to use the result of the first one.

    Examples of what nobody wants: to make a thing and change, remove or search it at the same time,
    to continue with a thing that was removed, to search after a search, to copy a thing and add it
    somewhere, to save what is already saved, or to find things of one kind ("oneway flights") for
    an action on another kind ("roundtrip flights").
    """
    verb, next_verb = _verb(tool), _verb(following)
    own_app = tool.app == following.app and not following.api.startswith(SYSTEM_PREFIX)
    if verb in _REMOVES | _STOPS or next_verb in _STOPS:
        return False
    if verb == "duplicate" and next_verb in _PUTS:
        return False
    if next_verb in _REMOVES:
        return verb in _FINDS and bool(tool.parameters)
    if _POSITIONS & set(title_words(following.title).split()):
        return False
    if stem(next_verb) in {stem(word) for word in title_words(tool.title).split()[1:]}:
        return False
    if verb in _MAKES and next_verb in _MAKES and "for" in title_words(following.title).split():
        return False
    deed = verb not in _FINDS | _MAKES and _name(tool) not in SOURCES
    # "Add or Remove Tags" is a change as well.
    changes = next_verb in _CHANGES or "remove" in title_words(following.title).split()
    if changes and (deed or verb in _MAKES):
        return False
    if next_verb == "move" and verb in _MAKES and _noun(tool) == _object(following):
        return False
    if own_app and (
        deed or next_verb in _SEARCHES or (next_verb in _LOOKS | _FINDS | _LATER and verb in _MAKES)
    ):
        return False
    if own_app and (
        _names_its_source(tool, following)
        or (verb in _MAKES and (_could_be_made_so(tool, following) or _is_empty(tool, following)))
        or (next_verb == "share" and "default" in title_words(tool.title).split())
        or (next_verb == "reveal" and any(field.is_list for field in tool.returns))
    ):
        return False
    repeated = verb == next_verb or next_verb in _MAKES | _CHANGES
    repeated = repeated or (next_verb in _PUTS and verb not in _MAKES)
    kinds, next_kinds = _kinds(tool), _kinds(following)
    other_kind = bool(kinds) and bool(next_kinds) and kinds.isdisjoint(next_kinds)
    return not ((repeated or other_kind) and _noun(tool) == _noun(following))


def _names_its_source(tool: Tool, following: Tool) -> bool:
    """Whether a call takes a folder, while the previous call returns the folder's contents."""
    source = stem((title_words(tool.title).split() or [""])[-1])
    return _noun(tool) != source == _noun(following)


def _could_be_made_so(tool: Tool, following: Tool) -> bool:
    """Whether the first call could already set the address that the second call adds."""
    addresses = {
        entry.name
        for entry in tool.parameters
        if "url" in entry.type.casefold() or "link" in entry.type.casefold()
    }
    return any(entry.name in addresses for entry in following.parameters)


def _is_empty(tool: Tool, following: Tool) -> bool:
    """Whether the second call needs contents in an object that the first call has just created."""
    has_position = any(
        "position" in entry.name.casefold() and not entry.optional for entry in following.parameters
    )
    return has_position or (_verb(following) == "open" and _thing(tool) in _CONTAINERS)


def can_end(chain: Sequence[Tool]) -> bool:
    """Whether a chain can end with its last tool, which must have an effect or give an answer."""
    last = chain[-1]
    return _name(last) not in ON_THE_WAY | SOURCES and _verb(last) not in _SELECTS


def _name(tool: Tool) -> str:
    return tool.api.removeprefix(SYSTEM_PREFIX)


def _verb(tool: Tool) -> str:
    return (title_words(tool.title).split() or [""])[0]


def _thing(tool: Tool) -> list[str]:
    """Return a title's words between verb and preposition: "photos" in "Add Photos to Album"."""
    verb, *rest = title_words(tool.title).split() or [""]
    return list(takewhile(lambda word: word not in _PREPOSITIONS, rest)) or [verb]


def _noun(tool: Tool) -> str:
    return stem(_thing(tool)[-1])


def _object(tool: Tool) -> str:
    return stem((title_words(tool.title).split()[1:] or [""])[0])


def _kinds(tool: Tool) -> set[str]:
    return set(_thing(tool)[:-1])
