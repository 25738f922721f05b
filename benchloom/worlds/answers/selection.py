"""Which of the values that a reply mentions are its answer.

A value is dropped that is negated, hedged or asked, that the next words take back, that has the
opposite role (the end where the begin is asked), that is said of something else than the question
asks about, that the request gave, or that was corrected later. What is left has to be the answer
alone. A reply that says that it did not find what is asked tells nothing.
"""

import re
from collections.abc import Callable, Collection, Sequence

from benchloom.worlds.answers.frames import of_subject
from benchloom.worlds.answers.mentions import Mention
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import Reply
from benchloom.worlds.answers.roles import of_role

MOST_MENTIONS = 200
"""Values of one kind in a reply; a reply with more is a list of guesses."""
_CORRECTIONS = re.compile(
    r"\b(?:no,? wait|wait|sorry|actually|i mean|correction|or rather|that is|so|therefore|thus"
    r"|hence)\b|="
)
_RETRACTED = re.compile(
    r"[^\w\n]{0,5}(?:no,? wait|wait|sorry(?! (?:for|about|that|it took))|i meant?"
    r"|scratch that|correction|or rather|make that|my mistake"
    r"|that(?: i|')s (?:wrong|not right)|that was)\b"
)
_DECLINED = re.compile(
    r"\b(?:(?:(?:could|ca|did|do|was|have|is|are)(?:n't| not)|cannot|unable to|failed to)"
    r" (?:\w+ ){0,3}?(?:find|found|see|get to|able|check|look|access|calculate|do|work out"
    r"|available)"
    r"|(?:found|find|see|have|has|there's|there (?:is|are)|lists?|shows?) (?:no|nothing|none)"
    r"|(?:nothing|none) (?:found|entered|listed|is|was)"
    r"|^(?:no|none of the|nobody) \w+ \w+s"
    r"|no \w+ (?:is|was|are) (?:entered|found|listed|available|given))\b"
    r"(?! (?:other|else|more|further|idea|problems?|conflicts?|trouble|need)\b)",
    re.MULTILINE,
)
_FAR = 200
"""Characters beside the words `not found` that may say what was not found."""
_BOUNDS = re.compile(
    r"\b(?:more than|less than|fewer than|at least|at most|over|under|above|below|no fewer than)"
    r" (?:the )?$"
)


def answers_among(
    question: Question, reply: Reply, mentions: Sequence[Mention], given: Collection[str] = ()
) -> str:
    """Why the values that a reply mentions are no answer; empty where they are.

    `given` are keys of values that the request or the rest of the answer gives away.
    """
    if not any(mention.fits for mention in mentions):
        return "not said"
    if len(mentions) > MOST_MENTIONS:
        return "a list of guesses"
    steps: tuple[tuple[str, Callable[[list[Mention]], list[Mention]]], ...] = (
        ("not affirmed", lambda left: _affirmed(reply, left)),
        ("corrected", lambda left: _kept(reply, left)),
        ("only the opposite is said", lambda left: of_role(question, reply, left)),
        ("said of something else", lambda left: of_subject(question, reply, left)),
        ("said in other words", lambda left: _relevant(question, reply, left)),
        ("only repeated", lambda left: _new(question, reply, left, given)),
        ("corrected", lambda left: _last_word(reply, left)),
    )
    if _is_declined(question, reply, mentions):
        return "the reply says that it does not know"
    left = list(mentions)
    for reason, step in steps:
        left = step(left)
        if not any(mention.fits for mention in left):
            return reason
    return "" if all(mention.fits for mention in left) else "other values beside it"


def _affirmed(reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Those that are affirmed; items of a list are negated together."""
    left: list[Mention] = []
    negated_end = -1
    for mention in mentions:
        standing = reply.standing(mention.start, mention.end)
        joined = negated_end >= 0 and reply.joined(negated_end, mention.start)
        if standing == "negated" or joined:
            negated_end = mention.end
        elif standing == "affirmed" and not _is_bound(reply, mention):
            left.append(mention)
    return left


def _is_bound(reply: Reply, mention: Mention) -> bool:
    """Whether a number is only a bound: `more than 10`."""
    before = _BOUNDS.search(reply.lower, max(0, mention.start - 20), mention.start)
    return before is not None and reply.lower[mention.start].isalnum() and not mention.worded


def _is_declined(question: Question, reply: Reply, mentions: Sequence[Mention]) -> bool:
    """Whether the reply says, beside the values, that it did not find what is asked."""
    others = stems_of("\n".join(question.turns).replace(question.clause, " ")) - question.stems
    for match in _DECLINED.finditer(reply.lower):
        start, end = reply.segment(match.start())
        if not any(start <= mention.start < end for mention in mentions if mention.fits):
            start, end = max(start, match.start() - _FAR), min(end, match.end() + _FAR)
            stems = stems_of(reply.lower[start:end])
            if question.stems & stems or not others & stems:
                return True
    return False


def _kept(reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Those that the next words do not take back: `Lomm, no wait`."""
    return [mention for mention in mentions if not _RETRACTED.match(reply.lower, mention.end)]


def _relevant(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Those in the sentences that have most words of the question."""
    if all(mention.fits for mention in mentions):
        return mentions
    overlaps = []
    for mention in mentions:
        sentence = reply.sentence(mention.start)
        overlaps.append(len(question.stems & stems_of(reply.text[sentence.start : sentence.end])))
    most = max(overlaps, default=0)
    return [mention for mention, overlap in zip(mentions, overlaps, strict=True) if overlap == most]


def _new(
    question: Question, reply: Reply, mentions: list[Mention], given: Collection[str]
) -> list[Mention]:
    """Those that the request did not give; what fits counts where its sentence has a cue."""
    left = []
    for index, mention in enumerate(mentions):
        if mention.key not in given or _alternative(reply, mentions, index):
            left.append(mention)
        elif mention.fits:
            sentence = reply.sentence(mention.start)
            beside = (
                reply.text[sentence.start : mention.start],
                reply.text[mention.end : sentence.end],
            )
            stems = stems_of(" ".join(beside))
            others = stems_of("\n".join(question.turns)) - question.stems
            if not question.cues or question.cues & stems or not others & stems:
                left.append(mention)
    return left


def _alternative(reply: Reply, mentions: list[Mention], index: int) -> bool:
    """Whether a value is joined with the next or the last one by `or`."""
    pairs = [(index - 1, index), (index, index + 1)]
    for one, other in pairs:
        if one >= 0 and other < len(mentions):
            between = reply.lower[mentions[one].end : mentions[other].start]
            if re.fullmatch(r"\W*or\W*", between):
                return True
    return False


def _last_word(reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Those behind the last correction or conclusion that has a value before and behind it."""
    if len({mention.fits for mention in mentions}) < 2:
        return mentions
    for index in range(len(mentions) - 1, 0, -1):
        between = (mentions[index - 1].end, mentions[index].start)
        if _CORRECTIONS.search(reply.lower, *between):
            return mentions[index:]
    return mentions
