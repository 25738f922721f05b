"""Phrase the title of an API as a user's instructions to run the API, such as `open {note}`."""

import re
from collections.abc import Callable, Iterator

from benchloom.core.records import Parameter
from benchloom.worlds.suites.definitions.methods import Method, entity_of
from benchloom.worlds.suites.definitions.requests.phrases import (
    is_page,
    label_of,
    phrase_of,
    with_thing,
)
from benchloom.worlds.suites.definitions.seeds import SEARCH, SEARCHED, names_for
from benchloom.worlds.suites.definitions.verbs import (
    is_operation,
    is_switch,
    own_parameters,
    takes_content,
)
from benchloom.worlds.suites.definitions.words import noun_of_title, subject_of, words_of

SPOKEN = frozenset({"", "message", "note"})
"""Labels of text parameters that contain a message; other text parameters contain a name."""
ANY_GAP = re.compile(r"\{[^}]*\}")
_LINK = re.compile(r"\b(?:URLs?|link)\b", re.IGNORECASE)
_BETWEEN = {"send": "to", "request": "from", "share": "with"}
_TEXT_TYPES = frozenset({"String", "AttributedString"})
_UNSAID = frozenset({"or", "specific"})
"""Words of titles that list alternatives, of which a request would have to choose one."""
_ON_THINGS = frozenset({"open", "play", "run", "search", "send", "share", "show"})
"""Verbs whose object must be a named thing."""
_SCREEN_WORDS = 3
"""The number of words that make a title a complete instruction without a value."""


def orders(
    method: Method, title: str, noun_of: Callable[[Parameter], str]
) -> Iterator[tuple[str, tuple[Parameter, ...]]]:
    """Yield instructions to run an API, each with the parameters whose names are its placeholders.

    `title` begins with a verb; `noun_of` returns the everyday noun for a parameter's entity.
    """
    app = "" if _is_of_system(method) else method.definition.app or ""
    own = [p for p in own_parameters(method.definition) if not is_operation(p)]
    is_vague = title.startswith("Quick ") or _lacks_content(method)
    if is_vague or not _UNSAID.isdisjoint(words_of(title)):
        return
    if method.target:
        if noun_of_title(title) != "app":
            target = next(p for p in own if p.name == method.target)
            yield _about_thing(method, title, noun_of(target), target, app)
        return
    if not own or (title.startswith("Open ") and all(map(_has_no_cases, own))):
        is_whole = (
            title.endswith(("Settings", "Setting"))
            or len(title.split()) >= _SCREEN_WORDS
            or all(p.optional for p in own)
        )
        if " " in title and is_whole and not _lacks_thing(title):
            yield phrase_of(title, app), ()
        return
    main = own[0]
    text = _action(title, main, app)
    yield text, (main,)
    for parameter in own[1:]:
        longer = text and _further(text, parameter)
        yield longer, (main, parameter)


def _about_thing(
    method: Method, title: str, noun: str, target: Parameter, app: str
) -> tuple[str, tuple[Parameter, ...]]:
    gap = f"{{{target.name}}}"
    link = next((p for p in own_parameters(method.definition) if p.type == "URL"), None)
    if link is not None and _LINK.search(title):
        return f"open {{{link.name}}} in {gap}", (target, link)
    if is_page(method.entity):
        return f"open {gap} in {subject_of(title)}", (target,)
    if title.startswith("Switch "):
        return f"switch to {gap}", (target,)
    return with_thing(title, noun, gap, app), (target,)


def _action(title: str, parameter: Parameter, app: str) -> str:
    phrase, gap, words = phrase_of(title, app), f"{{{parameter.name}}}", words_of(title)
    own = {*words_of(parameter.name), *words_of(parameter.title or "")}
    if parameter.type == "URL" or (parameter.type == "String" and "url" in own):
        return _LINK.sub(gap, phrase) if _LINK.search(phrase) else ""
    if parameter.type in _TEXT_TYPES and (words[0] == SEARCH or not SEARCHED.isdisjoint(own)):
        return f"{phrase} for {gap}"
    if parameter.type_kind == "measurement":
        return f"{phrase} for {gap}"
    text = _further(phrase, parameter)
    return text if " " in title or "with" not in text else ""


def _further(text: str, parameter: Parameter) -> str:
    gap, verb, label = f"{{{parameter.name}}}", text.partition(" ")[0], label_of(parameter)
    if parameter.type == "Person":
        if verb in _BETWEEN:
            return f"{text} {_BETWEEN[verb]} {gap}"
        first, _, rest = text.partition(" ")
        return f"{first} {gap} {rest}".strip() if verb in {"call", "dial"} else ""
    if parameter.type in _TEXT_TYPES and verb == "send" and label in SPOKEN:
        return f"{text} saying {gap}"
    if parameter.type in {"Date", "DateComponents"} and label == "date":
        return "" if "date" in words_of(text) else f"{text} for {gap}"
    if "amount" in words_of(label):
        return f"{text} of {gap}"
    is_repeated = not set(words_of(label)).isdisjoint(words_of(ANY_GAP.sub("", text)))
    is_case = label in {case.value.lower() for case in parameter.enum_values}
    if not label or is_switch(parameter) or is_repeated or is_case:
        return ""
    # The words for an entity begin with its noun: `the list "School"`.
    value = gap if entity_of(parameter) else f"the {label} {gap}"
    return f"{text} {'and' if ' with the ' in text else 'with'} {value}"


def _lacks_thing(title: str) -> bool:
    """Whether a title makes no sense without the name of a thing, such as `Play Podcast`."""
    words = words_of(title)
    is_short = len(words) == 2
    noun = noun_of_title(title)
    is_of_thing = is_short and words[0] in _ON_THINGS and bool(names_for(noun))
    return is_of_thing or words[0] in {"search", "send", "share"} or noun in {"app", "view"}


def _lacks_content(method: Method) -> bool:
    """Whether an API needs the output of another action, which a request cannot contain."""
    own = own_parameters(method.definition)
    if not method.target:
        return takes_content(method.definition)
    rest = [p for p in own if p.name != method.target]
    return any(p.type_kind == "file" or "input" in words_of(p.name) for p in rest)


def _is_of_system(method: Method) -> bool:
    return (method.definition.app or "").startswith("com.apple.")


def _has_no_cases(parameter: Parameter) -> bool:
    return parameter.type_kind == "enum" and not parameter.enum_values
