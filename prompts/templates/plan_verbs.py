"""Make short orders for API calls, such as "find a hotel", from the APIs' descriptions.

Descriptions mention parameters ("for a given date") and "the user". Both are removed: the clause
states the values elsewhere, and the user is the speaker.
"""

import re

from prompts.inputs.planning_paths import PlannedCall
from prompts.language.orders import order_verb
from prompts.language.words import plain, title_words, word_set

MAX_WORDS = 9
_ALWAYS = ["by", "based", "using", "matching", "according", "depending", "between", "via"]
_SOMETIMES = ["for", "at", "in", "on", "to", "with", "from", "of", "that", "which", "happening"]
_ABOUT_PARAMETERS = word_set(
    "given certain particular selected specified chosen specific desired preferred user user's "
    "your choice destination location city date dates place area another one someone optional "
    "which contact friends any set you"
)
_WINDOW = 4
_LOOSE_ENDS = frozenset({"and", "or", "optionally", "happening"})
_LOOSE = re.compile(
    r" and (?:dates?|times?|locations?|places?)$|"
    r" on (?:the|an?|my|some) (?:[\w-]+ )?(?:device|speaker|player)$"
)
"""Endings that are removed from an order: parameters ("and dates"), unnamed devices ("on the
device")."""
_MASS = word_set(
    "money music payment accommodation information info media news insurance parking traffic data "
    "furniture luggage advice help me it out"
)
_DEFINITE = frozenset({"weather", "balance", "location", "forecast", "temperature", "status"})
_DETERMINERS = frozenset({"a", "an", "the", "my", "all", "any", "some", "this", "these", "i"})
_PREPOSITIONS = frozenset({*_ALWAYS, *_SOMETIMES, "as", "and", "or"}) - {"of"}
_SINGULAR_S = re.compile(r"(?:[sui]s)$")
_DROPPED = frozenset({"selected", "given", "specified", "chosen", "desired"})
_MINE = (
    (re.compile(r"\b(?:the )?user has\b", re.IGNORECASE), "I have"),
    (re.compile(r"\banother user's\b", re.IGNORECASE), "somebody else's"),
    (re.compile(r"\banother user\b", re.IGNORECASE), "somebody else"),
    (re.compile(r"\b(?:the |an? )?user's\b|\b(?:the )?users'|\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\b(?:the|an?) user\b", re.IGNORECASE), "me"),
)
_WORD = re.compile(r"[\w'\u2019-]+")
_NO_OBJECT = word_set(
    "what which who whose when where how why whether if it this that these those i you he she we "
    "they is are was to for with from by in on at and or not no use used api apis please there be "
    "can could do does given returns provides gives lets allows enables helps"
)
"""Words that the name of a thing never begins with."""
_ARTICLES = frozenset({"a", "an", "the"})
_AFTER_OBJECT = frozenset({"of", "that", "which", "for", "in", "at", "with"})
"""If one of these words follows the first word of a description, the first word is a noun and not
an unknown verb."""
_TWO_WORDS = {"lookup": "look up", "signup": "sign up", "login": "log in", "checkin": "check in"}
_NAME_ENDS = frozenset({"api", "intent", "endpoint"})
_FOR_ME = (
    (re.compile(r"^(?:watch|listen to) "), "play "),
    (re.compile(r"^find out (?!how|if|wh|about)"), "find "),
)
"""Changes of verbs. Assistants "play" what users "watch", and "find out" is only used for facts."""


def does(call: PlannedCall) -> str:
    """Return an order without values ("find a hotel") from a call's description, title or name.

    It is empty if none of them begins with a known verb; use `call_object` then.
    """
    for text in (call.description, _lower_case_title(call.title)):
        order = _order(_head(text))
        if order:
            return order
    return (
        _order_in(call.title) or _order_in(call.api) or ("" if title_words(call.api) else "do this")
    )


def call_object(call: PlannedCall) -> str:
    """Return what a call without a known verb is about, such as "the weather of a town"."""
    words = _head(call.description)
    first, after = words[0].casefold() if words else "", words[1] if words else ""
    if first in _ARTICLES:
        return " ".join([first, *words[1:]])
    if first and first not in _NO_OBJECT and not first.endswith("ing") and after in _AFTER_OBJECT:
        return " ".join([*(() if _is_plural(first) else ("the",)), first, *words[1:]])
    return f"help with {' '.join(_name(call.api))}"


def _head(text: str) -> list[str]:
    """Return the words of a description's first clause, without mentions of parameters.

    The list is empty if the clause has only one word, too many words, or a word without letters.
    """
    clause = re.split(r"[,.;:(\n]| - ", text.strip(), maxsplit=1)[0]
    for pattern, mine in _MINE:
        clause = pattern.sub(mine, clause)
    words = clause.split()
    head_words: list[str] = []
    for index, word in enumerate(words):
        bare = plain(word)
        after = {next_word.casefold() for next_word in words[index + 1 : index + 1 + _WINDOW]}
        if index > 1 and bare in _ALWAYS:
            break
        if (
            index > 1
            and bare in _SOMETIMES
            and (after & _ABOUT_PARAMETERS or index == len(words) - 1)
        ):
            break
        if bare not in _DROPPED:
            head_words.append(word)
    while head_words and plain(head_words[-1]) in _LOOSE_ENDS:
        head_words.pop()
    if not 2 <= len(head_words) <= MAX_WORDS or not all(_WORD.search(word) for word in head_words):
        return []
    return head_words


def _lower_case_title(title: str) -> str:
    """Return a title in lower case if all its words have capitals; other texts are unchanged."""
    words = title.split()
    return title.casefold() if all(word[:1].isupper() for word in words) else title


def _order(words: list[str]) -> str:
    """Return the words as an order, or an empty text if they do not begin with a verb."""
    verb = order_verb([plain(word) for word in words])
    if not verb:
        return ""
    rest = words[1:] if len(words) > 2 else _with_article(verb, words[1:])
    if rest[0] in {"and", "or"} and order_verb(rest[1:2]):
        rest[1] = order_verb(rest[1:2])
    order = " ".join([verb, *rest])
    for pattern, mine in _FOR_ME:
        order = pattern.sub(mine, order)
    return _LOOSE.sub("", order)


def _name(identifier: str) -> list[str]:
    """Return the words of an identifier, without parameters and words such as "API"."""
    words = title_words(identifier).split()
    words[:1] = _TWO_WORDS.get(words[0], words[0]).split() if words else []
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _NAME_ENDS):
        words.pop()
    ends = (index for index, word in enumerate(words) if index > 1 and word in _PREPOSITIONS)
    return words[: next(ends, len(words))]


def _order_in(identifier: str) -> str:
    """Return the order in an identifier, such as "get the weather" for `GetWeather`, or ""."""
    words = _name(identifier)
    verb = order_verb(words)
    if not verb or len(words) < 2:
        return verb if words == [verb] else ""
    lead = [verb]
    if words[:2] == ["look", "up"]:
        lead, words = ["look", "up"], words[1:]
    elif verb == "search" and words[1] not in _PREPOSITIONS:
        lead = ["search", "for"]
    order = " ".join([*lead, *_with_article(verb, words[1:])])
    for pattern, mine in _FOR_ME:
        order = pattern.sub(mine, order)
    return order


def _with_article(verb: str, words: list[str]) -> list[str]:
    """Add an article to a singular noun that can be counted and has none."""
    what = _before_of(words)
    if not what or words[0] in _DETERMINERS or any(map(_is_plural, what)):
        return words
    noun = plain(what[-1])
    if noun in _MASS and verb != "make":
        return words
    if noun in _DEFINITE:
        return ["the", *words]
    return ["an" if words[0][:1] in "aeiou" else "a", *words]


def _before_of(words: list[str]) -> list[str]:
    """Return the words of a noun phrase before "of" or another preposition."""
    ends = (index for index, word in enumerate(words) if word == "of" or word in _PREPOSITIONS)
    return words[: next(ends, len(words))]


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not _SINGULAR_S.search(word)
