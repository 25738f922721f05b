"""Judge replies whose answer is yes or no."""

import re

from benchloom.worlds.answers.frames import DEED, subject_kind
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import Mention, Reply, Sentence
from benchloom.worlds.answers.values.numbers import stem

_LEADING = re.compile(
    r"(?:.*,(?= (?:yes|no)\W*$))?\W*(?:(?:sorry|unfortunately|oh|well|i'm afraid)\b[,. ]*)*"
    r"(?:(yes|yep|yeah|yup|correct|true|indeed)"
    r"|(no(?! (?!it|he|she|they|there|that|this|the|you|i|we)\w)|nope|false))\b(?=\W|$)"
)
_NEGATOR = re.compile(
    r"\b(?:not|no(?! (?:need|problem|worries|doubt)\b)|never|none|non|false|without|unable"
    r"|prohibited|forbidden|banned|\w+n't(?! (?:worry|forget|hesitate)\b))\b"
)
_STATES = {
    "on": ("running|enabled|active", "off|disabled|paused"),
    "off": ("disabled|inactive", "on|enabled"),
    "running": ("on|active|going", "off|paused|stopped|finished|over|ended"),
    "locked": ("shut", "open"),
    "open": ("unpaid|to do", "closed|shut|locked|paid|done"),
    "closed": ("shut|locked", "open"),
    "shut": ("closed|locked", "open"),
    "done": ("finished|completed|ticked off", "open|to do"),
    "next day": ("day after|following day", "same day"),
    "day after": ("next day|following day", "same day"),
    "paid": ("settled", "outstanding|open|owed"),
}
"""A mapping from the word for a state to patterns of its synonyms and of its opposites."""
_DEICTIC = frozenset({"there", "here", "it", "now", "yet"})
_NO_PLACE = r"\b(?! (?:the|my|your|an?)\b)"
"""The end of a pattern for words such as `on`, which are prepositions before an article."""
_NEVER = r"(?!)"
_CLAUSES = re.compile(r",? (?:but|although|though|while|whereas)\b")
_LABEL = re.compile(r"[^:]{1,40}: ")
_OFFER = re.compile(r"\bif you(?:'d)? (?:like|want|wish)\b")
_ELLIPSIS = re.compile(
    r"\b(?:it|he|she|they|there|that)(?:'s|'re|'ve|'ll| (?:is|does|has|are|do|have|was|will))\b"
    r"(?=\W*$|[,.:;!]| --)"
)


def judge_truth(question: Question, reply: Reply, *, value: bool) -> str:
    """Return why the yes-or-no answer of a reply is wrong, or "" if it is right."""
    truths: dict[int, set[bool]] = {}
    sentences = [part for part in reply.sentences if part.start >= reply.first] or reply.sentences
    kinds = [
        subject_kind(question, reply, Mention(clause.end, clause.end, fits=True, key=""))
        for clause in sentences
    ]
    names_subject = "asked" in kinds
    for sentence, kind in zip(sentences, kinds, strict=True):
        text = reply.lower[sentence.start : sentence.end]
        labelled = truths and _LABEL.match(text)
        is_other_subject = kind != "asked" and ((kind and names_subject) or labelled)
        if is_other_subject or _OFFER.search(text) or DEED.search(text):
            continue
        truth = _truth(question, reply, sentence)
        if truth is not None and sentence.hedged:
            return "hedged"
        if not sentence.is_question and truth is not None:
            rank = _directness(question, text)
            truths.setdefault(rank, set()).add(truth)
    if not truths:
        return "not said"
    return "" if truths[max(truths)] == {value} else "the reply says the opposite"


def _directness(question: Question, sentence: str) -> int:
    """Return how directly a sentence answers the question, from 0 (not at all) to 3.

    The result is 3 if the sentence has all words of the field's name, none of which is the last
    word of the question. It is 2 if the sentence says yes or no, or contains the last word of the
    question or a synonym or opposite of this word. It is 1 if the sentence has a word of the
    field's name.
    """
    stems, field = stems_of(sentence), stems_of(question.field_words)
    predicate, *other_states = _state(question)
    if field and field <= stems and stem(predicate) not in field:
        return 3
    state = rf"\b(?:(?:un)?{predicate}|{'|'.join(other_states)}){_NO_PLACE}"
    return 2 if _LEADING.match(sentence) or re.search(state, sentence) else int(bool(field & stems))


def _state(question: Question) -> tuple[str, str, str]:
    """Return patterns that match the question's last word, its synonyms, and its opposites."""
    words = re.findall(r"[\w'-]+", question.clause.lower().partition("?")[0])
    predicate = next((word for word in words[::-1] if word not in _DEICTIC), "")
    if " ".join(words[-2:]) in _STATES:
        predicate = " ".join(words[-2:])
    return re.escape(predicate) or _NEVER, *_STATES.get(predicate, (_NEVER, _NEVER))


def _truth(question: Question, reply: Reply, sentence: Sentence) -> bool | None:
    start, end = sentence.start, sentence.end
    leading = _LEADING.match(reply.lower, start, end)
    first = None if leading is None else leading[1] is not None
    rest = reply.lower[start if leading is None else leading.end() : end]
    field = stems_of(question.field_words)
    about = question.stems | field
    predicate, synonyms, opposite = _state(question)
    clauses = [clause for clause in _CLAUSES.split(rest) if stems_of(clause) & about]
    about -= question.name_stems | question.argument_stems
    rest = ", ".join(clauses) or rest
    speaks = re.search(rf"\b(?:{predicate}|{synonyms}){_NO_PLACE}", rest) is not None
    if not speaks and re.search(rf"\b(?:{opposite}){_NO_PLACE}", rest):
        return _NEGATOR.search(rest) is not None
    negated = _NEGATOR.search(rest) is not None or any(
        stem(word[2:]) in about for word in re.findall(r"\bun\w+", rest)
    )
    if field and field <= stems_of(rest):
        return not negated
    if negated or speaks or stems_of(rest) & about or (first is None and _ELLIPSIS.search(rest)):
        return (not negated) if first is None or first is not negated else None
    return first
