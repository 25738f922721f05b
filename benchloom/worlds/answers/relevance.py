"""Choose among different values of the same kind by the words beside them.

A claim is a value in the reply, or several joined values, as in `Lomm or Brisk`. The weight of a
claim grows with the number of question words near it. The claim with the largest weight is the
answer. A claim without content words, as in `it is 49 crowns`, may always be the answer.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from benchloom.worlds.answers.frames import subject_kind
from benchloom.worlds.answers.names import WORD
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import Mention, Reply
from benchloom.worlds.answers.roles import SUPERLATIVE
from benchloom.worlds.answers.values.numbers import stem

_JOINED = re.compile(
    r"[\s\"',]*(?:and|,|&|(?P<tight>or|to|till|until|nor|/|--?))?[\s\"']*(?:the |an? )?"
)
_AND = re.compile(r"[,;]|\b(?:and|or)\b")
_PRONOUN = re.compile(
    r"\b(?:it|that|this|they|he|she)(?:'s|'re| (?:is|are|was|were|costs?|makes|comes to))\b"
)
_SAYS = re.compile(r"\b(?:is|are|was|were|be|has|have|get|it's|that's)\b|[=:]")
_ANY = re.compile(r"\w")
_RELATION_TEXT = """
    left free off extra open total altogether together overall max min high low remain remaining"""
_RELATIONS = frozenset(_RELATION_TEXT.split())
"""Function words that can distinguish two values, such as `min` and `max`."""
_ANSWER = {"answer": 2.0, "result": 2.0, "sum": 1.0, "total": 1.0}
"""A mapping from words that announce an answer to their weights."""
_NO_WORDS = frozenset(map(stem, ("one", "times", "plus", "minus")))
"""Stems of words in numbers and calculations, which do not count as words near a value."""
_CALCULATED = {1: 0.85, 0: 0, -1: -0.25}
_ASIDE = 0.5
_KIND = 0.5
_FOREIGN = 0.25
_REPEATED = 0.25
"""Weights that are added to or subtracted from a claim's weight.

For comparison, a question word directly beside a value weighs 1.
"""

_FAR = 4
"""The assumed distance, in words, of a word that is before an earlier value of the sentence."""


class _Claim(msgspec.Struct, frozen=True):
    """One value or several joined values in a reply, with the content words near them.

    `cues` maps the question words near the values to their weights. `bare` is true if there is no
    content word near the values, and `aside` is true if the values are in brackets.
    """

    mentions: list[Mention]
    cues: dict[str, float]
    words: frozenset[str]
    bare: bool
    names_subject: bool
    aside: bool
    kind: int


def most_relevant(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the values in a reply whose neighbouring words match the question best."""
    if len({mention.fits for mention in mentions}) < 2:
        return mentions
    cues = frozenset(_ANSWER).union(_content(question, f"{question.clause} {question.field_words}"))
    claims = list(_claims(question, reply, mentions, cues))
    claims_with = Counter(cue for claim in claims for cue in claim.cues)
    claims_of = Counter(key for claim in claims for key in {m.key for m in claim.mentions})
    weights = [
        sum(weight / claims_with[cue] for cue, weight in claim.cues.items())
        + claim.names_subject
        + _KIND * claim.kind**2
        + (-_ASIDE if claim.aside else _CALCULATED[claim.mentions[-1].calculated])
        - _FOREIGN * (not claim.words <= cues)
        + _REPEATED * (claims_of[claim.mentions[0].key] > 1)
        for claim in claims
    ]
    superlatives = {stem(word) for word in SUPERLATIVE.findall(question.clause.lower())}
    if superlatives and superlatives.isdisjoint(claims_with) and len(claims) > 1:
        return [mention for claim in claims if not claim.aside for mention in claim.mentions]
    heaviest, kind = max(weights), max(claim.kind for claim in claims)
    return [
        mention
        for claim, weight in zip(claims, weights, strict=True)
        if weight == heaviest or (claim.bare and claim.kind == kind)
        for mention in claim.mentions
    ]


def _claims(
    question: Question, reply: Reply, mentions: Sequence[Mention], cues: frozenset[str]
) -> Iterator[_Claim]:
    lower = reply.lower
    groups = _joined(lower, mentions)
    for index, group in enumerate(groups):
        start, end = group[0].start, group[-1].end
        sentence = reply.sentence(start)
        low, high = sentence.start, sentence.end
        if index and groups[index - 1][-1].end > low:
            low = groups[index - 1][-1].end
            cut = _AND.search(lower, low, start)
            low = low if cut is None else cut.end()
        if index + 1 < len(groups) and groups[index + 1][0].start < high:
            cut = _AND.search(lower, end, groups[index + 1][0].start)
            high = end if cut is None else cut.start()
        after = _content(question, lower[end:high])
        cues_near: dict[str, float] = {}
        for words, first in (
            (_content(question, lower[low:start])[::-1], 1),
            (_content(question, lower[sentence.start : low])[::-1], _FAR),
            (after, 1),
        ):
            for distance, word in enumerate(words, first):
                if word in cues:
                    cues_near[word] = max(cues_near.get(word, 0), _ANSWER.get(word, 1) / distance)
        pronouns = [match.end() for match in _PRONOUN.finditer(lower, low, start)]
        before = _content(question, lower[max([low, *pronouns]) : start])
        subject = any(subject_kind(question, reply, mention) == "asked" for mention in group)
        words_near = frozenset({*before, *after})
        context = f"{lower[low:start]} {lower[end:high]}"
        aside = lower.count("(", sentence.start, start) > lower.count(")", sentence.start, start)
        bare = (
            group[-1].calculated >= 0
            and not aside
            and not words_near
            and (_SAYS.search(context) is not None or not _ANY.search(context))
        )
        kind = max(mention.kind for mention in group)
        yield _Claim(group, cues_near, words_near, bare, subject, aside, kind)


def _joined(lower: str, mentions: Sequence[Mention]) -> list[list[Mention]]:
    groups = [[mentions[0]]]
    for last, mention in pairwise(mentions):
        joint = _JOINED.fullmatch(lower, last.end, mention.start)
        is_one = joint is not None and (joint["tight"] is not None or last.kind == mention.kind)
        if is_one or mention.start < last.end:
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _content(question: Question, text: str) -> list[str]:
    words: list[str] = []
    for word in WORD.findall(text.lower()):
        words += [word] if word in _RELATIONS else stems_of(word)
    return [word for word in words if word not in _NO_WORDS and word not in question.name_stems]
