"""Recognise a text that a reply paraphrases: same content words and numbers, other wording."""

from collections import Counter
from decimal import Decimal

from benchloom.worlds.answers.names import WORD
from benchloom.worlds.answers.numbers import FUNCTION_WORDS, numbers_in, stem
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import NEGATORS, Mention, Reply

_LIGHT_TEXT = """
    be been lie lies is stand stands sit situated located find found take takes took place hold see
    holds held has have had need needs say says said tell tells told ask asks go goes going do does
    hello hi dear one you i we they it us them me must should can could please let"""
_LIGHT = frozenset(map(stem, _LIGHT_TEXT.split())) | frozenset(_LIGHT_TEXT.split())
_SAME = (
    ("people", "inhabitants", "residents", "persons"),
    ("start", "begin", "starts", "begins"),
    ("fine", "good", "suits", "suit", "works"),
    ("big", "large"),
    ("quick", "fast"),
)
"""Words that people exchange when they retell a text."""
_SYNONYMS = {stem(word): stem(words[0]) for words in _SAME for word in words}
_LEAST = 2


def retold(question: Question, reply: Reply, value: str) -> list[Mention]:
    """Return the part of a reply that paraphrases a text, as a list; empty if there is none.

    Names must be literal, and so must texts that the question wants changed (capitals, another
    word).
    """
    value_stems = _content(value)
    plain = [word for word in WORD.findall(value) if word.islower() and stem(word) in value_stems]
    question_stems = {stem(word) for word in WORD.findall(question.text)}
    if (
        "@" in value
        or len(plain) < _LEAST
        or 2 * len(question_stems & value_stems.keys()) >= len(value_stems)
    ):
        return []
    places = _content(reply.lower)
    if not value_stems.keys() <= places.keys():
        return []
    start = min(places[key][0] for key in value_stems)
    end = max(places[key][1] for key in value_stems)
    if len(NEGATORS.findall(value.lower())) != len(NEGATORS.findall(reply.lower[start:end])):
        return []
    return [Mention(start, end, fits=True, key=value.lower(), worded=True)]


def _content(text: str) -> dict[str, tuple[int, int]]:
    """Return the stems of a text's content words, and its numbers, with last positions."""
    lower = text.lower()
    spans: dict[str, tuple[int, int]] = {}
    numbers = numbers_in(lower, lower)
    counts = Counter[Decimal]()
    for number in numbers:
        counts[number.value] += 1
        spans[f"{number.value.normalize():f}, {counts[number.value]}"] = number.start, number.end
    for match in WORD.finditer(lower):
        word = match[0].removesuffix("'s")
        key = _SYNONYMS.get(stem(word), stem(word))
        light = word in FUNCTION_WORDS or word in _LIGHT or key in _LIGHT
        if not light and not any(number.start <= match.start() < number.end for number in numbers):
            spans[key] = match.span()
    return spans
