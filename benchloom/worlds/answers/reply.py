"""Divide a reply into sentences, and decide which of its values are affirmed.

Positions are indices of `Reply.text`; `Reply.lower` has the same length.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Literal

import msgspec

from benchloom.worlds.answers.layout import as_statements
from benchloom.worlds.answers.names import Name, names_in
from benchloom.worlds.answers.values.moments import Day, days_in
from benchloom.worlds.answers.values.numbers import Number
from benchloom.worlds.answers.values.times import Time, numbers_beside, times_in

MAX_MENTIONS = 200
"""The maximum number of values of a kind in a reply; a reply with more is a list of guesses."""
_SPACES = re.compile(r"[^\S\n]+")
_LINKS = re.compile(r"\[([^\][\n]{1,300})\]\((?:mailto:)?([^()\n]{1,500})\)")
_BULLETS = re.compile(r"^[ \t]*(?:[-*+•·>#]+[ \t]+|[0-9]{1,3}[.)][ \t]+)+", re.MULTILINE)
_MARKS = re.compile(r"\*\*|__|``?`?|~~|(?<![\w*])\*(?=\w)|(?<=[\w.!?])\*(?![\w*])")
_PLAIN = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2212": "-",
        "\u2013": "-",
    }
)
_DASHES = re.compile(r" ?\u2014 ?| \u2013 (?![0-9])")
"""Matches dashes between clauses, but not minus signs."""
_STOPS = re.compile(
    r"[\u2600-\u27bf\U0001f300-\U0001faff]+|(?<![\s(][ap]\.m)(?<!\be\.g)(?<!\bi\.e)[.!?]+(?=[\s\"')\]]|$)|[;\n]|\.{2,}"
    r"|, so (?=(?:you|an?|it|i|we|please|better|there)\b[^0-9.!?;\n]{0,200}(?:[.!?;\n]|$))"
    r"|(?:,| --) (?=(?:is|was|are|do|does|did|can|could|would|will|shall|should) "
    r"(?:it|that|this|you|there|i|we)\b)"
)
_SEGMENTS = re.compile(
    r",(?![0-9]{3})|[()]|\s--?\s|\b(?:but|while|whereas|though|yet|because|since)\b"
)
_NEW_SUBJECT = re.compile(
    r"\b(?:but|while|whereas|though|yet)\b|\s--?\s"
    r"|(?:[,:(]| and| so) (?:and |so |now )?(?:as )?(?:for )?"
    r"(?=(?:it|it's|its|he|she|they|their|his|her|that|that's|this|there|there's|the|your|you"
    r"|you're|you've|a|an|i|i've|[0-9.,]+ ?[a-z°]+ (?:is|are|equals?))\b)"
)
_FAR = 400
"""The number of characters before a value that are searched for its subject."""
_BUT = r"(?:every|any|all|each|no)\w*(?: \w+)? but"
_EXCEPTIONS = re.compile(rf"\b{_BUT}\b")
NEGATORS = re.compile(
    r"\b(?:not|no|never|nobody|neither|nor|without|cannot|in(?:stead| place) of|rather than"
    r"|opposed to|except(?: for)?|apart from|\w+er than|ahead of|followed by|unlike|away from"
    rf"|\w+n't|{_BUT}"
    r"|(?:first|initially|i|i'd) (?:\w+ )?(?:thought|assumed|guessed|expected|misread|read|took))"
    r"\b(?! only| just|t? least)"
)
_NOUN_NEGATORS = re.compile(
    r"in(?:stead| place) of|rather than|opposed to|except for|apart from|unlike|ahead of"
)
"""Matches words that negate only the next noun, as in `rather than Lomm`."""
_CLAUSE = re.compile(r"\b(?:you|we|i|it|he|she|they|there|is|are|has|have|say|use)\b")
"""Matches words that end the reach of a negated noun, as `it is` in `unlike Lomm, it is open`."""
_LIMIT = re.compile(r"\b(?:before|until|till) (?:the )?$")
"""Matches words after which a value is affirmed although the sentence is negated.

An example is `not due until Friday`.
"""
_LATER_NEGATION = re.compile(
    r"\W{0,3}(?!(?:that|which|who|and|or)\b)(?:[\w'-]+ (?!(?:that|which|who|and|or)\b)){0,2}?"
    r"(?:(?:is|are|was|were|do|does|did|has|have|can|could|will|would)(?: not\b|n't\b)"
    r"|cannot\b|no longer\b|(?:has|have) no\b)"
)
_VERIFY = r"(?:please|better|should) (?:double-?)?(?:check|verify) (?:it|that|this|them|yourself)"
_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|unsure|uncertain"
    r"|either(?=.* or )|i'd guess|i guess|my guess|best guess|not (?:\w+ )?(?:sure|certain)"
    r"|(?:might|may|could) (?:\w+ )?(?:be|have)|hard to say"
    r"|(?:not|\w+n't) have (?:\w+ )?access"
    r"|(?:no|(?:\w+n't|not) have (?:that|this|any)) (?:idea|information|data|details)"
    r"|(?:can't|cannot|couldn't|could not|don't|do not|not able to|unable to)"
    r" (?:say|tell|know|confirm|verify|guarantee|double-check)|i (?:think|believe)(?= it's| the|$)"
    r"|something like|assuming|i(?:'d| would) have to|when i last \w+"
    r"|i (?:assume|suspect|suppose|estimate|imagine)|apparently|(?:most|very|quite) likely"
    r"|likely to be|if i (?:remember|recall)\w*|as far as i (?:know|can tell|remember)|from memory"
    rf"|(?<!not )(?<!n't )one of (?:these|them|the two)|{_VERIFY})\b"
)
_DOUBTS = re.compile(
    r"\b(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain|a guess|no idea"
    rf"|(?<!not )(?<!n't )one of (?:these|them|the two)|{_VERIFY})\b"
)
_SHORT = 7
"""The maximum number of words in a sentence that only expresses doubt about the sentence before."""


class Mention(msgspec.Struct, frozen=True):
    """A value from `start` to `end` in the text of a reply.

    Args:
        fits: whether the value is the right answer.
        key: a key that is equal for two spellings of one value.
        worded: whether the value is a text, not a number, day or time.
        kind: how many words beside the value show that it is of the requested kind.
        nouns: the words after a number, without units; the mention ends after them.
        repeated: whether the value is already in the request, or in another part of the right
            answer.
        calculated: 1 for the last result of a calculation, -1 for its terms, else 0.
    """

    start: int
    end: int
    fits: bool
    key: str
    worded: bool = False
    kind: int = 0
    nouns: tuple[str, ...] = ()
    repeated: bool = False
    calculated: int = 0

    def overlaps(self, other: "Mention") -> bool:
        """Whether two mentions share a position."""
        return self.start < other.end and other.start < self.end


class Sentence(msgspec.Struct, frozen=True):
    """A sentence from `start` to `end`; `hedged` and `is_question` apply to the whole sentence."""

    start: int
    end: int
    hedged: bool
    is_question: bool


class Reply:
    """The text of a reply, divided into sentences; all positions are indices of `text`.

    `first` is the first position at which an answer can be, because the text before this position
    (`earlier`) was written before the user asked the question.
    """

    def __init__(self, text: str, earlier: str = "") -> None:
        plain = _DASHES.sub(" -- ", unicodedata.normalize("NFC", as_statements(text)))
        plain = plain.translate(_PLAIN)
        self.links = frozenset(match[2] for match in _LINKS.finditer(plain))
        plain = _LINKS.sub(r"\1", plain).replace(" @ ", " at ")
        plain = _MARKS.sub("", _BULLETS.sub("", plain))
        self.text: str = _SPACES.sub(" ", plain).strip()
        self.first = len(Reply(earlier).text) + 1 if earlier else 0
        # A letter with a longer lower case is not changed, so that positions in both texts agree.
        lowered = ((letter, letter.lower()) for letter in self.text)
        self.lower = "".join(low if len(low) == 1 else letter for letter, low in lowered)
        self.sentences = _sentences(self.lower)
        self._starts = [sentence.start for sentence in self.sentences]

    def with_text(self, text: str) -> "Reply":
        """Return a copy with another text of the same length.

        `first` and `links` (the addresses of links in the reply) remain unchanged.
        """
        copy = Reply(text, text[: max(0, self.first - 1)])
        copy.links = self.links
        return copy

    @cached_property
    def _cuts(self) -> list[int]:
        exceptions = {match.end() for match in _EXCEPTIONS.finditer(self.lower)}
        cuts = _SEGMENTS.finditer(self.lower)
        return [match.start() for match in cuts if match.end() not in exceptions]

    @cached_property
    def days(self) -> list[Day]:
        """The days that the text mentions, in order."""
        return days_in(self.lower)

    @cached_property
    def times(self) -> list[Time]:
        """The times of day that the text mentions, in order."""
        return times_in(self.lower)

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers that the text mentions, in order."""
        return numbers_beside(self.lower, [*self.days, *self.times])

    @cached_property
    def names(self) -> list[Name]:
        """The names that the text mentions, in order."""
        return names_in(self.text)

    def names_between(self, start: int, end: int) -> list[Name]:
        """Return the names that are completely between two positions."""
        first = bisect_left(self.names, start, key=lambda name: name.start)
        last = bisect_right(self.names, end, key=lambda name: name.end)
        return self.names[first:last]

    def sentence(self, position: int) -> Sentence:
        """Return the sentence that contains a position."""
        return self.sentences[max(0, bisect_right(self._starts, position) - 1)]

    def subject_start(self, position: int) -> int:
        """Return the start of the clause that contains a position, for example after `but`."""
        start = max(self.sentence(position).start, position - _FAR)
        for match in _NEW_SUBJECT.finditer(self.lower, start, position):
            start = match.end()
        return start

    def segment(self, position: int) -> tuple[int, int]:
        """Return start and end of the comma-separated part of a sentence at a position."""
        sentence = self.sentence(position)
        index = bisect_right(self._cuts, position)
        start = self._cuts[index - 1] + 1 if index else 0
        end = self._cuts[index] if index < len(self._cuts) else len(self.lower)
        return max(start, sentence.start), min(end, sentence.end)

    def stance(self, start: int, end: int) -> Literal["affirmed", "negated", "hedged", "asked"]:
        """Return whether the words from `start` to `end` are affirmed, negated, hedged or asked."""
        sentence = self.sentence(start)
        if sentence.hedged:
            return "hedged"
        if sentence.is_question:
            return "asked"
        first, last = self.segment(start)
        last = max(last, self.segment(max(start, end - 1))[1])
        first = max(first, self.lower.rfind(": ", first, start))
        if self._is_negated_before(first, start) or _LATER_NEGATION.match(self.lower, end, last):
            return "negated"
        return "affirmed"

    def _is_negated_before(self, first: int, start: int) -> bool:
        """Whether a negation between `first` and `start` applies to the words at `start`.

        An even number of negations cancels out.
        """
        negators = [
            match[0]
            for match in NEGATORS.finditer(self.lower, first, start)
            if _NOUN_NEGATORS.fullmatch(match[0]) is None
            or _CLAUSE.search(self.lower, match.end(), start) is None
        ]
        limited = _LIMIT.search(self.lower, first, start) is not None
        return len(negators) % 2 == 1 and not limited


def _sentences(lower: str) -> list[Sentence]:
    sentences: list[Sentence] = []
    start = 0
    for stop in [*_STOPS.finditer(lower), None]:
        end = len(lower) if stop is None else stop.start()
        part = lower[start:end]
        if part.strip():
            if len(part.split()) <= _SHORT and sentences and _DOUBTS.search(part):
                sentences[-1] = msgspec.structs.replace(sentences[-1], hedged=True)
            is_question = stop is not None and "?" in stop[0] and not lower.startswith('"', end + 1)
            is_question = is_question and not part.startswith((" how about", "how about"))
            sentences.append(Sentence(start, end, _HEDGES.search(part) is not None, is_question))
        start = end if stop is None else stop.end()
    return sentences or [Sentence(0, len(lower), hedged=False, is_question=False)]
