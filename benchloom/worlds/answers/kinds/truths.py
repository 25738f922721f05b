"""Judge replies whose answer is yes or no."""

import re

from benchloom.worlds.answers.frames import subject_kind
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import Mention, Reply, Sentence
from benchloom.worlds.answers.values.numbers import stem

_LEADING = re.compile(
    r"\W*(?:(?:sorry|unfortunately|oh|well|i'm afraid)\b[,. ]*)*"
    r"(?:(yes|yep|yeah|yup|correct|true|indeed)"
    r"|(no(?! (?!it|he|she|they|there|that|this|the|you|i|we)\w)|nope|false))\b(?=\W|$)"
)
_NEGATOR = re.compile(
    r"\b(?:not|no(?! (?:need|problem|worries|doubt)\b)|never|none|false|without|unable|\w+n't)\b"
)
_OPPOSITES = {
    "on": "off|disabled",
    "off": "on|enabled",
    "locked": "open",
    "open": "closed|shut|locked",
    "closed": "open",
    "shut": "open",
    "done": "open|to do",
    "paid": "outstanding|open|owed",
}
_CLAUSES = re.compile(r",? (?:but|although|though|while|whereas)\b")
_LABEL = re.compile(r"[^:]{1,40}: ")
_OFFER = re.compile(r"\bif you(?:'d)? (?:like|want|wish)\b")
_ELLIPSIS = re.compile(
    r"\b(?:it|he|she|they|there|that)(?:'s|'re|'ve|'ll| (?:is|does|has|are|do|have|was|will))\b"
)


def judge_truth(question: Question, reply: Reply, field: str, *, value: bool) -> str:
    """Return why a reply does not say the right yes or no; empty if it does."""
    said: set[bool] = set()
    direct: set[bool] = set()
    kinds = [
        subject_kind(question, reply, Mention(clause.end, clause.end, fits=True, key=""))
        for clause in reply.sentences
    ]
    names_subject = "asked" in kinds
    for sentence, kind in zip(reply.sentences, kinds, strict=True):
        label = _LABEL.match(reply.lower, sentence.start, sentence.end)
        if names_subject and kind != "asked" and (kind or label is not None):
            continue
        if (said and kind != "asked" and label is not None) or _OFFER.search(
            reply.lower, sentence.start, sentence.end
        ):
            continue
        truth = _truth(question, reply, sentence, field)
        if truth is not None and sentence.hedged:
            return "hedged"
        if not sentence.asked and truth is not None:
            said.add(truth)
            if _is_direct(question, reply.lower[sentence.start : sentence.end]):
                direct.add(truth)
    said = direct or said
    if not said:
        return "not said"
    return "" if said == {value} else "the opposite is said"


def _is_direct(question: Question, sentence: str) -> bool:
    """Whether a sentence says yes or no itself, or repeats what is asked."""
    words = re.findall(r"[\w'-]+", question.clause.lower())
    predicate = words[-1] if words else ""
    if predicate and re.search(rf"\b(?:un)?{re.escape(predicate)}\b", sentence):
        return True
    opposite = _OPPOSITES.get(predicate)
    return _LEADING.match(sentence) is not None or (
        opposite is not None and re.search(rf"\b(?:{opposite})\b", sentence) is not None
    )


def _truth(question: Question, reply: Reply, sentence: Sentence, field: str) -> bool | None:
    """Return whether a sentence says yes or no; None if it says neither.

    The first word counts, and whether the words of the question are negated.
    """
    start, end = sentence.start, sentence.end
    leading = _LEADING.match(reply.lower, start, end)
    first = None if leading is None else leading[1] is not None
    rest = reply.lower[start if leading is None else leading.end() : end]
    words = re.findall(r"[\w'-]+", question.clause.lower())
    names = {stem(word) for word in field.split("_")}
    about = question.stems | names
    predicate = words[-1] if words else ""
    clauses = [clause for clause in _CLAUSES.split(rest) if stems_of(clause) & about]
    rest = ", ".join(clauses) or rest
    opposite = _OPPOSITES.get(predicate, "")
    if opposite and re.search(rf"\b(?:{opposite})\b", rest) and predicate not in rest.split():
        return _NEGATOR.search(rest) is not None
    negated = _NEGATOR.search(rest) is not None or any(
        stem(word[2:]) in about for word in re.findall(r"\bun\w+", rest)
    )
    speaks = words[-1:] and re.search(rf"\b{re.escape(words[-1])}\b", rest) is not None
    if negated or speaks or stems_of(rest) & about or (first is None and _ELLIPSIS.search(rest)):
        return (not negated) if first is None or first is not negated else None
    return first
