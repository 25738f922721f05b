"""Choose among different values of one kind by the words beside them.

The words between two values belong to the nearer one. A value is dropped in favour of another
if fewer of its words are words of the question, and if it has words of its own that are not:
`Calendar days: 7, working days: 5`. A value without words of its own may always be the answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from benchloom.worlds.answers.frames import names_subject
from benchloom.worlds.answers.names import WORD
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import Mention, Reply

_JOINED = re.compile(
    r"[\s\"',(]*(?:and|,|&|(?P<tight>or|to|till|until|nor|/|-))?[\s\"']*(?:the |an? )?"
)
_AND = re.compile(r"(?:,|;|\band\b|\bor\b)")
_PRONOUN = re.compile(
    r"\b(?:it|that|this|they|he|she)(?:'s|'re| (?:is|are|was|were|costs?|makes|comes to))\b"
)
_RELATION_TEXT = """
    left free open total altogether together overall max min high low remain remaining remains"""
_RELATIONS = frozenset(_RELATION_TEXT.split())
"""Function words that tell one value from another."""
_ANSWER = frozenset({"answer", "result", "sum", "total"})
"""Words that announce an answer."""
_LABEL_WORD = re.compile(rf"{WORD.pattern}(?:\.?:)?")
_DERIVED = 0.75
_FAR = 4
"""Words between a value and the words beside the value before it, at least."""
_SHORT = (3, 4)


class _Claim(msgspec.Struct, frozen=True):
    """Values that are said together, and what their words share with the question."""

    mentions: list[Mention]
    cues: dict[str, float]
    kind: int
    names_subject: bool
    foreign: bool


def most_relevant(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions whose words beside them share most with the question."""
    if len({mention.fits for mention in mentions}) < 2:
        return mentions
    groups = _groups(reply, mentions)
    cues = _cues(question)
    claims = [_claim(question, reply, groups, index, cues) for index in range(len(groups))]
    claims_with = Counter(cue for claim in claims for cue in claim.cues)
    scores = [
        sum(weight / claims_with[cue] for cue, weight in claim.cues.items())
        + claim.names_subject
        + claim.kind / 2
        + _DERIVED * claim.mentions[-1].derived
        for claim in claims
    ]
    best = max(range(len(claims)), key=scores.__getitem__)
    kind = max(claim.kind for claim in claims)
    return [
        mention
        for claim, score in zip(claims, scores, strict=True)
        if score == scores[best] or not (claim.foreign or claim.kind < kind)
        for mention in claim.mentions
    ]


def _cues(question: Question) -> frozenset[str]:
    """Return the stems of the words that ask for the value, without names."""
    words = _content(question, f"{question.clause} {question.field.replace('_', ' ')}")
    return frozenset(words) | _ANSWER


def _groups(reply: Reply, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Return the mentions, those joined by a comma, `and` or `or` together."""
    groups = [[mentions[0]]]
    for last, mention in pairwise(mentions):
        joint = _JOINED.fullmatch(reply.lower, last.end, mention.start)
        if mention.start < last.end or (
            joint is not None and (joint["tight"] is not None or last.kind == mention.kind)
        ):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _claim(
    question: Question,
    reply: Reply,
    groups: Sequence[list[Mention]],
    index: int,
    cues: frozenset[str],
) -> _Claim:
    group = groups[index]
    start, end = group[0].start, group[-1].end
    sentence = reply.sentence(start)
    low, high = sentence.start, sentence.end
    if index and groups[index - 1][-1].end > low:
        previous = groups[index - 1][-1].end
        cut = _AND.search(reply.lower, previous, start)
        low = previous if cut is None else cut.end()
    if index + 1 < len(groups) and groups[index + 1][0].start < high:
        following = groups[index + 1][0].start
        cut = _AND.search(reply.lower, end, following)
        high = following if cut is None else cut.start()
    before = _content(question, reply.lower[low:start])[::-1]
    far = _content(question, reply.lower[sentence.start : low])[::-1]
    field = stems_of(question.field.replace("_", " "))
    nouns = _content(question, " ".join(noun for mention in group for noun in mention.nouns))
    counted = [noun for noun in nouns if noun not in field]
    behind = _content(question, reply.lower[end:high])
    shared: dict[str, float] = {}
    for words, first in ((before, 1), (behind, 1), (counted, 1), (far, _FAR)):
        for distance, word in enumerate(words, first):
            for cue in cues:
                if word == cue or (word.endswith(".") and cue.startswith(word[:-1])):
                    shared[cue] = max(shared.get(cue, 0), 1 / distance)
    pronouns = [match.end() for match in _PRONOUN.finditer(reply.lower, low, start)]
    own = _content(question, reply.lower[max([low, *pronouns]) : start])
    return _Claim(
        group,
        shared,
        max(mention.kind for mention in group),
        any(names_subject(question, reply, mention) for mention in group),
        foreign=bool(own or behind or counted),
    )


def _content(question: Question, text: str) -> list[str]:
    """Return the stems of the content words of a text, in order, without names of the question."""
    words = (match.group().lower() for match in _LABEL_WORD.finditer(text))
    stems = (
        word if word in _RELATIONS else _abbreviation(word) or next(iter(stems_of(word)), "")
        for word in words
    )
    return [stem for stem in stems if stem and stem not in question.name_stems]


def _abbreviation(word: str) -> str:
    """Return a short label with a stop behind it, such as `arr.`; empty for other words."""
    return (
        f"{word.rstrip('.:')}." if word.endswith(":") and len(word.rstrip(".:")) in _SHORT else ""
    )
