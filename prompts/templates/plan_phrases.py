"""Combine the phrases of a clause; names go inside the verb phrase, other phrases go after it."""

import re
from collections.abc import Iterable

from prompts.inputs.planning_paths import PlannedArgument
from prompts.templates import join
from prompts.templates.plan_values import (
    amount_of,
    counted,
    named,
    noun_of,
    pointed_at,
    preposition_of,
)

_LIKE = ("that", "with", "without")
_PLURAL = {"is": "are", "does": "do"}
_RANKS = {word: rank for rank, word in enumerate(("from", "to", "in", "there", "at", "for", "on"))}
_BARE = {"title", "track", "name"}
_SENT = re.compile(r"^(send|share) (?:an?|the|my) (?:place|location|address)\b")
_MOMENT = re.compile(r"(.+?) (on [A-Z]\w+ \d+\w\w|at \d[\d:]* [ap]m)")


def named_inside(verb: str, argument: PlannedArgument, *, again: bool = False) -> str | None:
    """Insert a name or number next to its noun in a verb phrase; return None if it lacks the noun.

    "reserve a table at a restaurant" becomes "... at that restaurant" for a result, or for a name
    that is said `again`; "buy tickets" becomes "buy 2 tickets".
    """
    if argument.origin == "result":
        if _SENT.match(verb) and preposition_of(argument) == "in":
            # A place that is sent is not a place where something is sent.
            return _SENT.sub(rf"\1 {pointed_at(argument).partition(' ')[2]}", verb)
        return _with_name(verb, noun_of(argument), "")
    amount = amount_of(argument)
    if amount is not None and not again:
        number, things = amount
        noun_match = re.search(rf"(?<=\w ){re.escape(things)}\b", verb)
        amount_text = f"{number} {counted([things], number)}"
        return (
            f"{verb[: noun_match.start()]}{amount_text}{verb[noun_match.end() :]}"
            if noun_match
            else None
        )
    name_parts = named(argument)
    return (
        None
        if name_parts is None
        else _with_name(verb, name_parts[0], "" if again else name_parts[1])
    )


def _with_name(verb: str, noun: str, name: str) -> str | None:
    """Add a name to the noun in a verb phrase; without a name, write "that" before the noun."""
    bare = not noun or noun in _BARE
    noun_pattern = r"[\w-]+" if bare else re.escape(noun)
    thing = re.search(rf"\b(a|an|the|some) ((?:[\w-]+ )??)({noun_pattern})\b", verb)
    if thing is None:
        return None
    replacement = f"{thing[1]} {thing[2]}{thing[3]} called {name}" if name else f"that {thing[3]}"
    return f"{verb[: thing.start()]}{replacement}{verb[thing.end() :]}"


def without_end(verb: str, said: str) -> str:
    """Return the verb phrase without an end such as "to a contact", if "to Ann" replaces it."""
    lead = said.split(" ", 1)[0]
    if lead not in {"to", "from", "in"} and not said.startswith("on the "):
        return verb
    return re.sub(rf"(?<=\w) {lead} (?:(?:an?|the|my) \w+|somebody else)$", "", verb)


def arranged(words: Iterable[str], verb: str) -> list[str]:
    """Return phrases in spoken order: object, place and time, and then details."""
    words = _spans(list(words))
    ordered = _moments(
        sorted(words, key=lambda phrase: _RANKS.get(phrase.split(" ", 1)[0], len(_RANKS)))
    )
    groups = {
        lead: [phrase for phrase in ordered if phrase.startswith(f"{lead} ")] for lead in _LIKE
    }
    what_it_is = join([phrase.removeprefix("that ") for phrase in groups["that"]])
    phrases = [f"that {what_it_is}"] if what_it_is else []
    if verb.endswith("s"):
        phrases = [
            re.sub(r"\b(is|does)\b", lambda match: _PLURAL[match[1]], phrase) for phrase in phrases
        ]
    phrases += [phrase for phrase in ordered if phrase.split(" ", 1)[0] not in _LIKE]
    if groups["with"]:
        phrases.append(f"with {join([phrase.removeprefix('with ') for phrase in groups['with']])}")
    return [*phrases, *([join(groups["without"])] if groups["without"] else [])]


def _spans(words: list[str]) -> list[str]:
    """Merge the phrases for a first and a last day into one: "from May 3rd to May 5th"."""
    first = next((phrase for phrase in words if phrase.startswith("with start on ")), None)
    last = next((phrase for phrase in words if phrase.startswith("with end on ")), None)
    if first is None or last is None:
        return words
    span = f"from {first.removeprefix('with start on ')} to {last.removeprefix('with end on ')}"
    return [*(phrase for phrase in words if phrase not in {first, last}), span]


def _moments(words: list[str]) -> list[str]:
    """Merge the phrases for a day and its time into one: "with pickup on May 3rd at 8 pm"."""
    phrases: dict[str, str] = {}
    for phrase in words:
        moment = _MOMENT.fullmatch(phrase)
        if moment is None:
            phrases[phrase] = phrase
        elif moment[1] in phrases:
            there = phrases[moment[1]].removeprefix(f"{moment[1]} ")
            phrases[moment[1]] = f"{moment[1]} {' '.join(sorted((there, moment[2]), reverse=True))}"
        else:
            phrases[moment[1]] = phrase
    return list(phrases.values())
