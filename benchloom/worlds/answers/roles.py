"""Opposed words, of which a question asks for one: begin and end, high and low, sum and mean.

A value has the role of the nearest such word: the last one before it, else the first one behind.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from benchloom.worlds.answers.mentions import Mention
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Reply


class _Opposites(msgspec.Struct, frozen=True):
    """Words of which one excludes the others; `fields` are patterns of fields, one for each role.

    `worded` where the words of the question say which one it asks for, in any field.
    """

    words: tuple[str, ...]
    fields: tuple[str, ...] = ()
    worded: bool = False


_BEGINS = (
    r"begin(?:s|ning)?|start(?:s|ing)?|from(?= ?$)|depart\w*|leav(?:es|ing)|left at|takes? off"
)
_ENDS = (
    r"end(?:s|ing)?|over|until|till|arriv\w*|lands?|clos(?:es|ing)|finish\w*|gets? (?:in|to)"
    r"|reach(?:es|ing)?|(?:is|you're|be) there"
)
_DONE = (
    r"(?:is|are|was|'s|already|been) (?:already )?(?:done|completed|finished|paid|settled|closed)"
    r"|(?:ticked|checked|crossed) off"
)
_OPPOSITES = (
    _Opposites(
        (rf"{_BEGINS}|opens?|since", _ENDS),
        (r"start|departs|opens|since", r"end|arrives|closes|until"),
    ),
    _Opposites(
        (
            r"high(?:est)?|max\w*|warm\w*|up to|hot\w*",
            r"low(?:est)?|min\w*|cold\w*|down to|cool\w*",
        ),
        (r"high_.*", r"low_.*"),
    ),
    _Opposites((r"open(?:s|ed)?", r"closed|closes|closing"), (r"(?!)", r"closed_on")),
    _Opposites(
        (
            r"total\w*|sum|altogether|together|adds? up",
            r"mean|average",
            r"median",
            r"smallest|lowest|least|min\w*",
            r"largest|highest|biggest|greatest|max\w*",
        ),
        (
            r"total|sum",
            r"mean|average",
            r"median",
            r"smallest|lowest|min\w*",
            r"largest|highest|max\w*",
        ),
    ),
    _Opposites(
        (r"dearest|most expensive|costliest|priciest", r"cheapest|least expensive"), worded=True
    ),
    _Opposites((r"warmest|hottest", r"coldest|coolest"), worded=True),
    _Opposites((r"open|unpaid|to do|still", _DONE), worded=True),
    _Opposites((r"left|free|available", r"taken|booked|occupied|gone"), worded=True),
    _Opposites(
        (r"next", r"last|previous|after that|afterwards|after it|second|later"), worded=True
    ),
    _Opposites((r"last|latest|most recent", r"first|earliest|before that"), worded=True),
)
_PATTERNS = [
    re.compile(
        r"\b(?:"
        + "|".join(f"(?P<_{role}>{word})" for role, word in enumerate(entry.words))
        + r")\b"
    )
    for entry in _OPPOSITES
]
_RANGE = re.compile(r" ?(?:to|until|till|-) ?")


def of_role(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """The mentions but those that have another role than the question asks for."""
    for index, role in _asked(question):
        ranges: dict[int, int] = _ranges(reply, mentions) if index == 0 else {}
        mentions = [
            mention
            for mention in mentions
            if ranges.get(mention.start, _role(reply, mention, index)) in {-1, role}
        ]
    return mentions


def _asked(question: Question) -> list[tuple[int, int]]:
    """The sets of opposites and the role in each that is asked for."""
    clause = question.clause.lower()
    found = []
    for index, entry in enumerate(_OPPOSITES):
        for role, pattern in enumerate(entry.fields):
            if re.fullmatch(pattern, question.field):
                found.append((index, role))
                break
        else:
            match = _PATTERNS[index].search(clause) if entry.worded else None
            if match is not None:
                found.append((index, _role_of(match)))
    return found


def _ranges(reply: Reply, mentions: Sequence[Mention]) -> dict[int, int]:
    """`from 14:00 to 16:00`: the first begins, the second ends."""
    roles = {}
    for first, second in pairwise(mentions):
        if _RANGE.fullmatch(reply.lower, first.end, second.start):
            roles[first.start], roles[second.start] = 0, 1
    return roles


def _role(reply: Reply, mention: Mention, index: int) -> int:
    """The role that the nearest word says: before the value, else behind it; -1 where none does."""
    if _OPPOSITES[index].worded:
        start = reply.subject_start(mention.start)
    else:
        start = reply.sentence(mention.start).start
    last: re.Match[str] | None = None
    for match in _PATTERNS[index].finditer(reply.lower, start, mention.start):
        last = match
    if last is None:
        last = _PATTERNS[index].search(reply.lower, mention.end, reply.segment(mention.start)[1])
    return -1 if last is None else _role_of(last)


def _role_of(match: re.Match[str]) -> int:
    return int((match.lastgroup or "_0")[1:])
