"""Check that the text requests something and is not only polite."""

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import STOPWORDS, plain, word_set
from prompts.subject import Subject

_COURTESY = STOPWORDS | word_set(
    "thank thanks thankful please kind kindly kindness help helpful helping hello hi hey dear hope "
    "hoping well today tonight doing day days evening morning afternoon night week weekend "
    "wonderful lovely nice great good best better fine much many lot lots advance everything "
    "anything something always ever really truly appreciate appreciated grateful regards wishes "
    "wish assistant friend sorry bother bothering welcome bye goodbye cheers care amazing awesome "
    "perfect pleasure glad happy soon again still just know time patience support service work job "
    "effort assistance question request thing things would like could if way hear from sir madam "
    "greetings there okay ok yes sure pleased ask asking quick stuff useful whatever"
)
LEAST = 2
"""Minimum number of different words in a request, not counting polite phrases and stop words."""
_PARTS_OF_WORDS = frozenset({"s", "t", "m", "re", "ll", "d", "ve"})


def examine(subject: Subject) -> Finding:
    """Drops texts that contain only courtesy and everyday filler."""
    words = set(plain(subject.text).split()) - _PARTS_OF_WORDS
    content_words = sorted(words - _COURTESY)
    # Scripts without blanks write a sentence as one word; the language is another rule's.
    if words and len(content_words) < LEAST and subject.text.isascii():
        return dropped("no_request", f"nothing but courtesy, and {content_words}")
    return passing(f"{len(content_words)} words beside courtesy")


CHECK = Check(
    name="empty_request",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={"no_request": "The text asks for nothing."},
    examine=examine,
)
