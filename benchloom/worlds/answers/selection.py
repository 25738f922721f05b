"""Which of the values that a reply mentions are its answer.

A value is dropped that is negated, hedged or asked, that has the opposite role (the end where the
begin is asked), that is said of somebody else, that stands in a statement about something else,
that the request gave, or that was corrected later. What is left has to be the answer alone.
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

import msgspec

from benchloom.worlds.answers.mentions import Mention, Role
from benchloom.worlds.answers.question import WORD, Question, stems_of
from benchloom.worlds.answers.reply import Reply

MOST_MENTIONS = 200
"""Values of one kind in a reply; a reply with more is a list of guesses."""
_BEGINS = r"begin(?:s|ning)?|start(?:s|ing)?|from|depart\w*|leav(?:es|ing)|left at|takes? off"
_ROLES = (
    (rf"{_BEGINS}|opens?|since",
     r"end(?:s|ing)?|over|until|till|arriv\w*|lands?|clos(?:es|ing)|finish\w*|gets? in"),
    (r"high(?:est)?|max\w*|warm\w*|up to|hot\w*", r"low(?:est)?|min\w*|cold\w*|down to|cool\w*"),
    (r"open(?:s|ed)?", r"closed|closes|closing"),
    (r"dearest|most expensive|costliest|priciest", r"cheapest|least expensive"),
    (r"warmest|hottest", r"coldest|coolest"),
)  # fmt: skip
_PAIRS = [
    (re.compile(rf"\b(?:(?P<first>{first})|(?P<second>{second}))\b")) for first, second in _ROLES
]
_PAIRED = re.compile(r" ?(?:to|until|till|-) ?")
_FIELDS: tuple[tuple[str, int, Role], ...] = (
    (r"start|departs|opens|since", 0, "first"),
    (r"end|arrives|closes|until", 0, "second"),
    (r"high_.*", 1, "first"),
    (r"low_.*", 1, "second"),
    (r"closed_on", 2, "second"),
)
_CORRECTIONS = re.compile(
    r"\b(?:no,? wait|wait|sorry|actually|i mean|correction|or rather|that is|so|therefore|thus"
    r"|hence)\b|="
)
_DATE_WORDS = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|celsius|fahrenheit|kelvin|i|i'm|i've|pm|am"
)
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
        ("only the opposite is said", lambda left: _of_role(question, reply, left)),
        ("said of something else", lambda left: _of_subject(question, reply, left)),
        ("said in other words", lambda left: _relevant(question, reply, left)),
        ("only repeated", lambda left: _new(question, reply, left, given)),
        ("corrected", lambda left: _last_word(reply, left)),
    )
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


def asked_role(question: Question) -> tuple[int, Role] | None:
    """The pair of opposed things of which one is asked, by the field or the words."""
    for pattern, pair, role in _FIELDS:
        if re.fullmatch(pattern, question.field):
            return pair, role
    clause = question.clause.lower()
    for number in (4, 3):
        match = _PAIRS[number].search(clause)
        if match is not None:
            return number, "first" if match["first"] else "second"
    return None


def _of_role(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    asked = asked_role(question)
    if asked is None:
        return mentions
    pair, role = asked
    if pair == 0:
        mentions = _ranges(reply, mentions)
    left = []
    for mention in mentions:
        said = mention.role or _role(reply, mention, _PAIRS[pair])
        if said in {"", role}:
            left.append(mention)
    return left


def _ranges(reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """`from 14:00 to 16:00`: the first begins, the second ends."""
    found = list(mentions)
    for index, (one, other) in enumerate(pairwise(mentions)):
        if _PAIRED.fullmatch(reply.lower, one.end, other.start):
            found[index] = msgspec.structs.replace(one, role="first")
            found[index + 1] = msgspec.structs.replace(other, role="second")
    return found


def _role(reply: Reply, mention: Mention, pair: re.Pattern[str]) -> Role:
    """The role that the nearest word says: before the value in its sentence, else behind it."""
    sentence = reply.sentence(mention.start)
    last: re.Match[str] | None = None
    for match in pair.finditer(reply.lower, sentence.start, mention.start):
        last = match
    if last is None:
        last = pair.search(reply.lower, mention.end, reply.segment(mention.start)[1])
    if last is None:
        return ""
    return "first" if last["first"] else "second"


def _of_subject(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Those not said of another name, where some are said of the name that is asked for."""
    if len(mentions) > 1 or any(mention.fits for mention in mentions):
        subjects = [_subject(question, reply, mention) for mention in mentions]
        named = subjects.count("asked") or any(
            question.names & set(WORD.findall(reply.lower[s.start : s.end]))
            for s in reply.sentences
        )
        if named:
            return [
                mention
                for mention, subject in zip(mentions, subjects, strict=True)
                if subject != "other"
            ]
    return mentions


def _subject(question: Question, reply: Reply, mention: Mention) -> str:
    """Of whom a value is said: the nearest name before it in its sentence."""
    sentence = reply.sentence(mention.start)
    said = reply.text[sentence.start : mention.start]
    subject = ""
    words = list(WORD.finditer(said))
    for index, match in enumerate(words):
        word = match[0].lower().removesuffix("'s")
        if word in question.names:
            subject = "asked"
        elif match[0][0].isupper() and not _DATE_WORDS.fullmatch(word):
            alone = said[: match.start()].strip(" \"'(") == ""
            following = words[index + 1][0] if index + 1 < len(words) else ""
            if not alone or following[:1].isupper():
                subject = "other" if subject != "asked" or _apart(said, match) else subject
    return subject


def _apart(said: str, match: re.Match[str]) -> bool:
    """Whether a name follows behind a comma or `and`, as another subject does."""
    return (
        re.search(r"(?:[,;:]| and)\s+(?:for |the |my |your )?$", said[: match.start()]) is not None
    )


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
