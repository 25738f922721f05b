"""Check that the text asks only for what its shortcut or plan does."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._paraphrases import phrased
from prompts.checks._supported import content_stems, is_readable, stems_in, texts_about
from prompts.language.orders import ORDER_VERBS
from prompts.language.statements import says
from prompts.language.words import stem, word_set
from prompts.subject import Subject

_SECOND_WISH = re.compile(
    r"\bby the way\b|\banother thing\b|\bone more thing\b|\bwhile you(?:'re| are) at it\b|"
    r"\bon (?:a|another) (?:different|unrelated|separate|other) (?:note|matter)\b|\bunrelated\b|"
    r"\bbesides that\b|\bin other news\b|\bcompletely different\b|\boh,? and\b|\bps\b|\bp\.s\.",
    re.IGNORECASE,
)
"""Words that introduce another wish."""
_ALSO = re.compile(
    r"(?:[.!?;,]|\band|\bi|\bi'd|\bi'll|\bi would|\bi will) (?:and )?(?:please )?"
    r"(?:(?:could|can|would|will) you )?also,? (?:please )?",
    re.IGNORECASE,
)
"""Matches "also", which introduces another wish or another part of the same wish."""
_CLAUSE = re.compile(r"[.!?;]")
_ORDER = re.compile(
    r"(?:^|[.!?;,]|\band\b) ?(?:(?:and|so|then|please|also|could you|can you|would you) )*"
    r"([a-z]+)\b",
    re.IGNORECASE,
)
"""Matches the beginning of an order. The group of the pattern contains the verb."""
_REMINDER = re.compile(r"remind (?:me|us|him|her|them) to\b", re.IGNORECASE)
_END = re.compile(r"[.!?;,]|\band\b")
_DEEDS = (ORDER_VERBS | {"teach", "mow", "back"}) - word_set(
    "tell show let say give read speak hear see get know save put keep find look have help suggest "
    "remind make do use see mark take return send leave ask round check"
)
"""Verbs that order a separate action. Verbs such as "tell" are excluded, because they often only
ask for the result of the first action."""
LEAST_WORDS = 2
LONGEST_CLAUSE = 200
LEAST_STEMS = 8
"""Orders, and clauses with "also", are examined only if the data of the shortcut or plan has at
least this many different stems."""


def examine(subject: Subject) -> Finding:
    """Drops a text with a clause that has no word in common with its shortcut or plan.

    Only clauses that begin with an order, with "also" or with words such as "by the way" are
    examined.
    """
    order = _unrelated_order(subject)
    if order is not None:
        return dropped("second_request", f"asks for something else: {order!r}")
    announced = (*_SECOND_WISH.finditer(subject.text), *_ALSO.finditer(subject.text))
    target_stems = stems_in(texts_about(subject)) if announced else frozenset()
    for match in announced:
        rest = subject.text[match.end() : match.end() + LONGEST_CLAUSE].lstrip(" :,")
        clause = _CLAUSE.split(rest, maxsplit=1)[0]
        stems = {word_stem for word_stem in content_stems(clause) if len(word_stem) > 1}
        is_separate = _SECOND_WISH.fullmatch(match.group()) is not None
        if len(stems) < LEAST_WORDS or (not is_separate and len(target_stems) < LEAST_STEMS):
            continue
        if not stems & target_stems:
            return dropped("second_request", f"asks for something else: {clause.strip()!r}")
    return passing("asks for one thing")


def _unrelated_order(subject: Subject) -> str | None:
    """Return the first order that has no word of the shortcut or plan, or None."""
    orders = [
        match
        for match in _ORDER.finditer(subject.text)
        if match[1].lower() in _DEEDS or _REMINDER.match(subject.text, match.start(1))
    ]
    if not orders:
        return None
    target_stems = stems_in(texts_about(subject))
    if len(target_stems) < LEAST_STEMS:
        return None
    for match in orders:
        if not match.start() and not is_readable(subject):
            continue
        clause = _END.split(subject.text[match.start(1) :], maxsplit=1)[0][:LONGEST_CLAUSE]
        stems = {word for word in content_stems(clause) if len(word) > 1}
        topic_stems = stems - {stem(match[1].lower())}
        if len(topic_stems) < LEAST_WORDS or stems & target_stems or phrased(clause):
            continue
        if not any(says(clause, value) for value in subject.required):
            return clause.strip()
    return None


CHECK = Check(
    name="second_request",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={
        "second_request": "The text also asks for something that the shortcut or plan does not do."
    },
    examine=examine,
)
