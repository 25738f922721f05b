"""What a value is said of, compared with what the question asks about.

The words around a value fill places of a frame: its subject, names behind prepositions, the day,
how many of something, who gives to whom, and when. A value is said of something else where one of
these contradicts the same place of the question; a place that either leaves open contradicts
nothing.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from benchloom.worlds.answers.mentions import Mention
from benchloom.worlds.answers.moments import Day, days_in, masked
from benchloom.worlds.answers.names import WORD, Name
from benchloom.worlds.answers.numbers import numbers_in, stem
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Reply

_NEW_SUBJECT = re.compile(
    r"\b(?:but|while|whereas|though|yet)\b|\s-\s"
    r"|(?:[,:(]| and| so) (?:and |so )?"
    r"(?=(?:it|it's|its|he|she|they|their|his|her|that|that's|this|there|there's|the|your|you"
    r"|you're|you've|a|an|i|i've)\b)"
)
_APART = re.compile(r"(?:[,;:(]| and)\s+(?:for |the |my |your )?\"?$")
_FOLLOWER = re.compile(r"(?:'s)?\"? ([^\W\d_][\w'-]*)")
_LINK = re.compile(r" ?(?:is|was|are|:|=|of|for|where|what|who)\b")
_PLACES = ("from", "to", "at", "in", "on", "under")
_PLACE = re.compile(rf"\b({'|'.join(_PLACES)}) (?:the )?$")
_OTHER = re.compile(
    r"\b(?:is|was|are|were|at|in|on|for|of|by|from|to|with) (?:an? |the |some )?"
    r"(?:other|another|different|wrong)\b"
)
_PAST = re.compile(
    r"\b(?:used to|formerly|previously|former|until (?:recently|last|lately)|in the past"
    r"|once (?:lived|worked|cost|was)|had been|moved away|before (?:he|she|it|they) moved)\b"
)
_ONE = re.compile(r"\b(?:a|an|one|per|each|every) ([a-z]+)")
_OPPOSITE_WAYS = {"from": "to", "to": "from"}
_ASKED_WAY = re.compile(r"\b(from|to) (?:which|whom|what|where)\b")
_WAYS = re.compile(r"\b(?:from|to|by|at|in|on|as)\b")
_ASKS_FOR = "ask|want|request|charg|claim|demand|bill|expect"
_GIVES = "pay|paid|ow|send|sent|lend|lent|transfer|giv|gave"
_DEAL = re.compile(
    rf"\b(?:(?P<passive>(?:am|is|are|was|were|been|being|get|'re|'m) )?(?:last )?"
    rf"(?:(?P<asks>{_ASKS_FOR})|(?P<gives>{_GIVES})))(?:s|e|es|ed|ing|ting)?\b"
)


def of_subject(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """The mentions but those that are said of something else than the question asks about."""
    scopes = [_scope(reply, mention) for mention in mentions]
    subjects = [
        _subject(question, reply, mention, *scope)
        for mention, scope in zip(mentions, scopes, strict=True)
    ]
    wrong = {"rival", "elsewhere"} | ({"foreign"} if "asked" in subjects else set())
    return [
        mention
        for mention, scope, subject in zip(mentions, scopes, subjects, strict=True)
        if subject not in wrong
        and not any(check(question, reply, mention, *scope) for check in _CHECKS)
    ]


def _scope(reply: Reply, mention: Mention) -> tuple[int, int]:
    """The words that may say what a value is said of: from the last new subject before it."""
    start = reply.sentence(mention.start).start
    for match in _NEW_SUBJECT.finditer(reply.lower, start, mention.start):
        start = match.end()
    return start, max(mention.end, reply.segment(mention.start)[1])


def _subject(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> str:
    """The kind of the nearest name before a value, else of one that a verb links behind it."""
    if not question.subjects:
        return ""
    subject = ""
    for name in _names(question, reply, start, mention.start):
        kind = _kind(question, reply, name)
        apart = _APART.search(reply.lower, start, name.start) is not None
        if kind and (subject != "asked" or kind == "asked" or apart):
            subject = kind
    if not subject and _LINK.match(reply.lower, mention.end):
        kinds = [_kind(question, reply, name) for name in _names(question, reply, mention.end, end)]
        subject = "rival" if kinds[:1] == ["rival"] else ""
    return subject


def _names(question: Question, reply: Reply, start: int, end: int) -> Iterator[Name]:
    """The names of a part of a reply but those of the answer."""
    for name in reply.names:
        if start <= name.start and name.end <= end and not name.words <= question.answer_words:
            yield name


def _kind(question: Question, reply: Reply, name: Name) -> str:
    """Whether a name is asked about, a rival, of the rest of the request, or foreign; else empty.

    A rival shares a word with the name that is asked about (`Ada Cole`, `Ada Hale`) or is followed
    by the same word (`Ada Cole works`, `Bo Hale works`).
    """
    if any(name.names(subject) for subject in question.subjects):
        return "asked"
    if any(name.words & subject.words for subject in question.subjects):
        return "rival"
    plain = name.opens and len(name.said) == 1
    follower = _FOLLOWER.match(reply.lower, name.end)
    if follower is not None and not plain and stem(follower[1]) in question.predicates:
        return "rival"
    if any(name.names(other) for other in question.others):
        return "elsewhere"
    return "" if plain else "foreign"


def _other_place(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether another name follows a preposition: `from Brisk` where `from Lomm` was asked."""
    asked = question.places
    for name in _names(question, reply, start, end):
        match = _PLACE.search(reply.lower, max(start, name.start - 12), name.start)
        if match is not None and match[1] in asked and not mention.start <= name.start < mention.end:
            words = asked[match[1]]
            if not name.words & words:
                return True
    return _OTHER.search(reply.lower, start, end) is not None and not re.search(
        r"\b(?:other|another|different|wrong)\b", question.clause.lower()
    )


def _other_day(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether another day is said than the only one of the question."""
    if len(question.clause_days) != 1:
        return False
    asked = question.clause_days[0]
    start = max(start, reply.segment(mention.start)[0])
    return any(
        _differ(asked, day)
        for day in days_in(reply.lower[start:end])
        if not (mention.start < start + day.end and start + day.start < mention.end)
    )


def _differ(asked: Day, said: Day) -> bool:
    if asked.day is not None and said.day is not None:
        return asked.day != said.day or None not in {asked.month, said.month} and asked.month != said.month
    if asked.weekday is not None and said.weekday is not None:
        return asked.weekday != said.weekday
    return asked.offset is not None and said.offset is not None and asked.offset != said.offset


def _other_count(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether the value is that of another number of things: `two nights` where one was asked."""
    asked = question.counts
    if not asked or isinstance(question.answer, list):
        return False
    first, last = reply.segment(mention.start)
    first = max(start, first)
    lower = reply.lower[first:last]
    counts = {stem(match[1]): {Decimal(1)} for match in _ONE.finditer(lower)}
    for number in numbers_in(lower, masked(lower, iter(days_in(lower)))):
        if not mention.start <= first + number.start < mention.end:
            for noun in number.nouns:
                counts.setdefault(stem(noun), set()).add(number.value)
    return any(noun in counts and asked[noun] not in counts[noun] for noun in asked)


def _other_giver(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether it is the other one who gives: `you ask Ada` where `Ada asks me` was the question."""
    asked = _user_gives(question.clause.lower(), "i", "me")
    if asked is None:
        return False
    first, last = reply.segment(mention.start)
    said = _user_gives(reply.lower[max(start, first) : last], "you", "you")
    return said is not None and said is not asked


def _user_gives(clause: str, subject: str, target: str) -> bool | None:
    """Whether the user is the one who gives or is to give; None where a clause does not say it."""
    for match in _DEAL.finditer(clause):
        before = re.search(rf"\b{subject}\b(?!r\b)", clause[: match.start()])
        after = re.search(rf"\b{target}\b", clause[match.end() :])
        if before is None and after is None:
            continue
        user_acts = (before is not None) is not (match["passive"] is not None and _is_acted(match))
        return user_acts is (match["gives"] is not None)
    return None


def _other_way(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether the preposition of a value is the opposite: `sent to` where `from which` was asked."""
    asked = _ASKED_WAY.search(question.clause.lower())
    if asked is None:
        return False
    said = [match[0] for match in _WAYS.finditer(reply.lower, start, mention.start)]
    return said[-1:] == [_OPPOSITE_WAYS[asked[1]]]


def _is_acted(match: re.Match[str]) -> bool:
    """Whether a verb is in the passive voice: `are asked`, not `are asking`."""
    return re.search(r"(?:ed|paid|sent|lent)$", match[0]) is not None


def _reversed(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether what the question has as object is the subject: `what names Ale`, `Ale names X`."""
    for verb in question.verbs_before:
        if re.search(rf"\b{verb}\w* (?:the |an? )?\w* ?$", reply.lower[start : mention.start]):
            for name in _names(question, reply, start, mention.start):
                follower = WORD.search(reply.lower, name.end)
                if follower is not None and stem(follower[0]) == verb:
                    return any(name.names(subject) for subject in question.subjects)
    return False


def _past(question: Question, reply: Reply, mention: Mention, start: int, end: int) -> bool:
    """Whether it was true once, where the question does not ask for that."""
    past = _PAST.search(reply.lower, start, end) is not None
    return past and _PAST.search(question.clause.lower()) is None


_Check = Callable[[Question, Reply, Mention, int, int], bool]
_CHECKS: tuple[_Check, ...] = (
    _other_place,
    _other_day,
    _other_count,
    _other_giver,
    _other_way,
    _reversed,
    _past,
)
