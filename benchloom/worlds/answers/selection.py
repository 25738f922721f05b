"""Select the values in a reply that count as its answer, by dropping all others step by step."""

import re
from collections.abc import Collection, Sequence

import msgspec

from benchloom.worlds.answers.frames import of_subject
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.relevance import most_relevant
from benchloom.worlds.answers.reply import MAX_MENTIONS, Mention, Reply
from benchloom.worlds.answers.roles import of_role, says_opposite

_CORRECTIONS = re.compile(
    r"\b(?:no,? wait|wait|sorry|actually|i mean|correction|or rather|that is|so(?! far)"
    r"|therefore|thus|hence|makes?|gives?|equals|comes? to|in fact|later)\b|="
)
_RETRACTED = re.compile(
    r"[^\w\n]{0,5}(?:(?:no|oh|oops|hm+|actually|well)\W{1,4})?(?:wait|no,? (?=[0-9])"
    r"|sorry(?! (?:for|about|that|it took))|i meant?|scratch that|correction|or rather|make that"
    r"|my mistake|that(?: i|')s (?:wrong|not right)"
    r"|that (?:was|is|would be)(?!,) "
    r"(?!on|in|at|the (?:day|only)|[0-9]|it|all|what|right|correct))\b"
    r"|,?(?: but)? (?:has|have|was|were) (?:since |now |been )*(?:left|moved|changed|removed)\b"
    r"|[^0-9\n;]{0,60}?(?:\W (?:no|oh),?|\W) (?:wait,|hold on|hang on|scratch that|oops)"
)
_CHANGED_FROM = re.compile(
    r"\b(?:moved|changed|reduced|raised|lowered|cut|postponed|delayed|shifted|increased|down|up)"
    r"(?: \w+){0,2} from (?:the )?$"
)
_WAS = re.compile(
    r"\b(?:was|were|had been|formerly|previously|originally|normally|usually|instead of"
    r"|old|previous)(?: \w+){0,3}:? $"
)
_DECLINED = re.compile(
    r"\b(?:(?:(?:could|ca|did|do|was|have|is|are)(?:n't| not)|cannot|unable to|failed to)"
    r" (?:\w+ ){0,3}?(?:find|found|see|know|get to|able|check|look|access|calculate|do|work out"
    r"|available|list|give|mention|stored|recorded)"
    r"|(?:found|find|see|have|has|'ve|there's|(?<!so )there (?:is|are)|lists?|shows?)"
    r" (?:no|nothing(?! to\b)|none)"
    r"|(?:haven't|have not|hasn't|has not|never) (?!paid yet)\w+ (?:\w+ ){0,2}(?:anything|any|yet)"
    r"|(?:nothing|none) (?:found|entered|listed|is|was)"
    r"|(?:is|are|was|were)(?:n't| not) (?:in there|there|listed|among|in (?:it|the list))"
    r"|^(?:nobody|no one|nothing|none)(?: yet| so far| at all)?"
    r"(?=[.,;!](?! (?:it|they|this|that)\b))"
    r"|^(?:no|none of the|nobody) \w+ \w+s"
    r"|no \w+ (?:is|was|are) (?:entered|found|listed|available|given))\b"
    r"(?! (?:other|else|more|further|idea|problems?|conflicts?|trouble|need)\b)",
    re.MULTILINE,
)
_ANSWER = re.compile(r"\b(?:answer|result|calculation|payment)")
_AT_FIRST = re.compile(r"\b(?:at first|initially)\b")
_FAR = 200
"""The number of characters around `not found` that are searched for what was not found."""
_NEAR = 10
_CLAIM = re.compile(r"(?:\b(?:is|are|was|equals|comes to|due)|=)(?: due)?(?: on| at| for)? $")
_BOUNDS = re.compile(
    r"\b(?:more than|less than|fewer than|at least|at most|over|under|above|below|no fewer than"
    r"|the (?:day|week|hour) (?:before|after)|can (?:go|hold|reach|take|be) up to) (?:the )?$"
)
_AFTER_PREPOSITION = re.compile(
    r"\b(?:(?:chance|risk|possibility) of|next to|near|beside) (?:the )?$"
)
"""Matches words after which a name is not the answer itself, as in `next to Lomm`."""


def answers_among(
    question: Question,
    reply: Reply,
    mentions: Sequence[Mention],
    request_keys: Collection[str] = (),
    *,
    roles: bool = True,
) -> str:
    """Return why the values in a reply are not the answer, or "" if they are.

    `request_keys` are the keys of the values that are already in the request, or in another part of
    the right answer. If `roles` is false, it does not matter whether a value is, for example, a
    begin or an end.
    """
    if len(mentions) > MAX_MENTIONS:
        return "the reply is a list of guesses"
    mentions = [mention for mention in mentions if mention.start >= reply.first] or mentions
    if not any(mention.fits for mention in mentions):
        return "not said"
    if _is_declined(question, reply, mentions):
        return "the reply says that the answer is unknown"
    rest = [
        msgspec.structs.replace(mention, repeated=mention.key in request_keys)
        for mention in sorted(mentions, key=lambda mention: mention.start)
    ]
    for reason, step in _STEPS:
        rest = step(question, reply, rest) if roles or step is not of_role else rest
        if not any(mention.fits for mention in rest):
            return reason
    return "" if all(mention.fits for mention in rest) else "the reply states other values as well"


def _affirmed(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the values that the reply affirms, without bounds such as 10 in `more than 10`."""
    result = []
    for mention in mentions:
        start = mention.start
        pattern = _AFTER_PREPOSITION if mention.worded else _BOUNDS
        before = pattern.search(reply.lower, max(0, start - 30), start)
        exact = before is None or not reply.lower[start].isalnum()
        affirmed = exact and reply.stance(start, mention.end) == "affirmed"
        result += [mention] if affirmed or says_opposite(question, reply, mention) else []
    return result


def _is_declined(question: Question, reply: Reply, mentions: Sequence[Mention]) -> bool:
    for match in () if question.listed_records else _DECLINED.finditer(reply.lower):
        start, end = reply.segment(match.start())
        if not any(start <= mention.start < end for mention in mentions if mention.fits):
            start, end = max(start, match.start() - _FAR), min(end, match.end() + _FAR)
            outside = reply.lower[start : match.start()] + reply.lower[match.end() : end]
            stems = stems_of(outside)
            about = not stems or question.stems & stems or question.names_field(outside)
            if (about or _ANSWER.search(outside)) and not _AT_FIRST.search(outside):
                return True
    return False


def _without_retracted(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Drop the values that the reply retracts, as in `Lomm, no wait` or `moved from Lomm`.

    A past value is dropped, too, if the reply also states a present value: `89 crowns, it was 104`.
    """
    current = [
        mention
        for mention in mentions
        if not _RETRACTED.match(reply.lower, mention.end)
        and not _CHANGED_FROM.search(reply.lower, max(0, mention.start - _FAR), mention.start)
    ]
    new = {mention.fits for mention in current if not mention.repeated}
    if question.asks_past or len(new) < 2:
        return current
    return [
        mention
        for mention in current
        if not _WAS.search(reply.lower, reply.segment(mention.start)[0], mention.start)
    ] or current


def _new(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Drop the wrong values that a reply only repeats, and does not claim as its answer.

    A repeated value is already in the request, or in another part of the right answer.
    """
    return [
        mention
        for mention in mentions
        if mention.fits or not mention.repeated or _is_claimed(question, reply, mention)
    ]


def _is_claimed(question: Question, reply: Reply, mention: Mention) -> bool:
    """Whether a reply states a wrong value as the answer, as in `The mean is 26`."""
    text = reply.lower[max(0, mention.start - _NEAR) : mention.end]
    if mention.fits or mention.worded or text in question.text:
        return False
    start = reply.subject_start(mention.start)
    claim = _CLAIM.search(reply.lower, start, mention.start)
    return claim is not None and bool(question.stems & stems_of(reply.lower[start : mention.start]))


def _last_word(_question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the values after the last correction or conclusion, such as `sorry` or `so`."""
    if len({mention.fits for mention in mentions}) < 2:
        return mentions
    for index in range(len(mentions) - 1, 0, -1):
        start, end = mentions[index - 1].end, mentions[index].start
        bracket = reply.lower.find("(", start, end)
        if _CORRECTIONS.search(reply.lower, start, end if bracket < 0 else bracket):
            return mentions[index:]
    return mentions


def _of_field(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Drop the values that belong to another field than the requested field.

    For example, 23 in `Humidity: 89, temperature: 23` is dropped if the humidity is requested.
    """
    fitting = []
    field = stems_of(question.field_words)
    for mention in mentions:
        rivals = question.other_values.get(mention.key, frozenset())
        start, end = reply.segment(mention.start)
        stems = stems_of(reply.lower[start:end])
        label = question.other_labels.search(reply.lower, max(0, start - 1), mention.start)
        claimed = stems & field - rivals and not stems & rivals
        if label is None if mention.fits else not rivals or claimed:
            fitting.append(mention)
    return fitting


_STEPS = (
    ("not affirmed", _affirmed),
    ("corrected", _without_retracted),
    ("only the opposite is stated", of_role),
    ("the value is about something else", of_subject),
    ("only repeated", _new),
    ("not said", _of_field),
    ("corrected", _last_word),
    ("another value fits the question better", most_relevant),
)
"""The steps that drop values, each after the reason to report if no right value remains."""
