"""A question with its right answer, and the subjects, places, days and counts that it names."""

import datetime
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.names import (
    FOLLOWERS,
    HEAD,
    QUOTED,
    WINDOW,
    WORD,
    Name,
    names_in,
    preposition_before,
    unquoted,
)
from benchloom.worlds.answers.values.moments import WEEKDAYS, Day, days_in
from benchloom.worlds.answers.values.numbers import FUNCTION_WORDS, Number, stem
from benchloom.worlds.answers.values.times import Time, numbers_beside, times_in

_ASKING = re.compile(
    r"\b(?:tell|look up|find (?:out|me)|work out|give me|check|convert|add up|let me know"
    r"|(?:(?:from|to|at|in|on|for|by) )?(?:what|when|which|who|where|how|whether)"
    r"|(?<![^\n])(?:is|are|do|does|can|may|will) (?:i|we|it|they|there|the|this|that))\b"
)
_STRONG = re.compile(
    r"\b(?:tell me|look up|find out|find me|work out|give me|check how|convert|add up)\b"
)
_PREPOSITIONS = {"city": "in"}
_PREPOSITIONS |= dict.fromkeys(("origin_city", "from", "from_city", "from_location"), "from")
_PREPOSITIONS |= dict.fromkeys(("destination_city", "to", "to_city", "to_location"), "to")
"""A mapping from the names of arguments to the preposition that people say before the value."""
_DETAIL = re.compile(r"(?:The ([\w -]+) is )?.*", re.DOTALL)
"""Matches a line with a detail of a request, and its name: `event` in `The event is "Choir"`."""
_ROOT = 5
"""The number of letters at the start that forms of a word share, as `arrival` and `arrive` do."""
_PAST = re.compile(r"\b(?:last|since|were|was|did|cost|paid|sent)\b")
_PRESENT = re.compile(r"\b(?:do|does|will)\b")
_VERB = re.compile(r"\b([a-z]*[^s\W]s) (?:(?:the|an?|my) (?:[a-z]+ )?)?$")
_LAST_VERB = re.compile(r"\b([a-z]+[^s\W]s)[.?!]*$")
_BOUND = re.compile(r"\b(?:from|since|after|until|till|before|between|and) $")
ONE = re.compile(r"\b(?:(?:a|an|one|per|each|every) |the (?=(?:week|month|year)\b))([a-z]+)")
"""Matches words that mean a count of 1, and the noun after them: `a night`."""
_STOP = FUNCTION_WORDS | {"tell", "look", "find", "give", "what", "how", "many", "whether", "me"}


Record = Mapping[str, Plain]
_LABELLED = re.compile(r"(?:^|, )([A-Z][a-z]+): (.*?)(?=, [A-Z][a-z]+: |$)")


class Question(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A user's question, with the value that answers it.

    Args:
        turns: the user's messages, in order.
        field: the name of the result field that holds the answer.
        answer: the right value of this field.
        arguments: the arguments of the call that returned the value.
        now: the clock of the world, an ISO 8601 time.
        records: the objects of the call's result; the first contains the answer.
    """

    turns: tuple[str, ...]
    field: str
    answer: Plain
    now: str
    arguments: Mapping[str, Plain] = {}
    records: tuple[Record, ...] = ()

    @cached_property
    def today(self) -> datetime.date:
        """The date of the world's clock."""
        return datetime.date.fromisoformat(self.now[:10])

    @cached_property
    def text(self) -> str:
        """All turns in lower case."""
        return "\n".join(self.turns).lower()

    @cached_property
    def clause(self) -> str:
        """The part of the user's turns that asks the question, without the rest of the request.

        It begins with the last interrogative. If several turns contain questions, it is the last
        question with a word of the result field's name.
        """
        text = "\n".join(self.turns)
        matches = [*_STRONG.finditer(text.lower())] or [*_ASKING.finditer(text.lower())][-1:]
        last = text[matches[-1].start() :] if matches else text
        starts = [match.start() for match in _ASKING.finditer(text.lower())]
        parts = [text[start:end] for start, end in pairwise([*starts, len(text)])]
        if len(self.turns) > 1 and not self.names_field(last):
            last = next((part for part in reversed(parts) if self.names_field(part)), last)
        asking, *details = last.split("\n")
        # A line with a detail of an earlier part of the request does not belong to the question.
        other_roots = _roots(text.partition(asking)[0]) - _roots(asking)
        details = [part for part in details if not other_roots & _roots(_DETAIL.sub(r"\1", part))]
        return "\n".join([asking, *details])

    @cached_property
    def asking_turn(self) -> int:
        """The index of the turn in which the user asks the question."""
        asking = self.clause.partition("\n")[0]
        return next((index for index, turn in enumerate(self.turns) if asking in turn), 0)

    def names_field(self, text: str) -> bool:
        """Whether a text has a word of the field's name, in any form."""
        return not _roots(self.field_words).isdisjoint(_roots(text))

    @cached_property
    def asks_past(self) -> bool:
        """Whether the question is about the past."""
        clause = self.clause.lower()
        return _PAST.search(clause) is not None and _PRESENT.search(clause) is None

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the content words in `clause`, the part that asks the question."""
        return stems_of(self.clause)

    @property
    def field_words(self) -> str:
        """The name of the result field, with spaces instead of underscores."""
        return self.field.replace("_", " ")

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of all names in the question (capitalised or quoted), in lower case."""
        words = WORD.findall(self.clause[1:])
        quoted = WORD.findall(" ".join(QUOTED.findall(self.clause)))
        return frozenset(word.lower() for word in [*words, *quoted] if word[0].isupper()) | {
            word.lower() for word in quoted
        }

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """The stems of the words of all names in the question."""
        return frozenset(map(stem, self.names))

    @cached_property
    def subjects(self) -> list[Name]:
        """The names in `clause`, the part that asks the question."""
        return _sure(names_in(self.clause))

    @cached_property
    def argument_names(self) -> frozenset[frozenset[str]]:
        """Each name in the call's arguments, such as a firm's symbol, as the set of its words."""
        texts = [value for value in self.arguments.values() if isinstance(value, str)]
        names = {name.words for text in texts for name in names_in(text)}
        return frozenset(names | {frozenset(WORD.findall(text.lower())) for text in texts})

    @cached_property
    def argument_stems(self) -> frozenset[str]:
        """The stems of the words in the call's arguments."""
        return stems_of(self._arguments)

    @cached_property
    def tails(self) -> dict[frozenset[str], frozenset[str]]:
        """A mapping from each name in the arguments to the nouns after it.

        For example, the argument `Window blind` maps `window` to `blind`.
        """
        texts = [value for value in self.arguments.values() if isinstance(value, str)]
        return {
            name.words: frozenset(text[name.end :].lower().split())
            for text in texts
            for name in names_in(text)
            if text[name.end :].strip().isalpha() and text[name.end :].islower()
        }

    @cached_property
    def others(self) -> list[Name]:
        """The names in the user's turns, outside the part that asks the question."""
        text = "\n".join(self.turns)
        for part in self.clause.split("\n"):
            text = text.replace(part, " ")
        return _sure(names_in(text))

    @cached_property
    def neighbours(self) -> frozenset[str]:
        """The stems of the words beside names in the question: `bill of Ada`, `Ada works`."""
        lower = self.clause.lower()
        words: list[str | None] = []
        for name in self.subjects:
            following = FOLLOWERS.match(lower, name.end)
            tail = following is not None and following[1] in self.tails.get(name.words, ())
            words += [] if following is None else following.groups()[: 1 + tail]
            head = HEAD.search(lower, max(0, name.start - WINDOW), name.start)
            words += [] if head is None else [head[1]]
        return frozenset(stem(word) for word in words if word and word not in FUNCTION_WORDS)

    @cached_property
    def verbs(self) -> list[tuple[str, bool]]:
        """The stem of each verb in the question, and whether a name is the verb's object."""
        lower = self.clause.lower()
        verb_pairs = [
            (match[1], True)
            for name in self.subjects
            if (match := _VERB.search(lower, max(0, name.start - WINDOW), name.start)) is not None
        ]
        verb_pairs = verb_pairs or [(match[1], False) for match in _LAST_VERB.finditer(lower)]
        return [
            (stem(verb), is_object) for verb, is_object in verb_pairs if verb not in FUNCTION_WORDS
        ]

    @cached_property
    def places(self) -> dict[str, frozenset[str]]:
        """A mapping from each preposition in the question to the words of the names after it."""
        words_by_preposition = {
            _PREPOSITIONS[name]: frozenset(WORD.findall(str(value).lower()))
            for name, value in self.arguments.items()
            if name in _PREPOSITIONS
        }
        for name in self.subjects:
            preposition = preposition_before(self.clause.lower(), 0, name.start)
            if preposition:
                words = words_by_preposition.get(preposition, frozenset())
                words_by_preposition[preposition] = words | name.words
        return words_by_preposition

    @cached_property
    def counts(self) -> dict[str, Decimal]:
        """A mapping from the stem of each counted noun in the question to its count.

        The count in `a night` is 1.
        """
        lower = self.clause.lower()
        counts_by_stem = {stem(match[1]): Decimal(1) for match in ONE.finditer(lower)}
        for number in numbers_beside(lower, self.clause_days):
            counts_by_stem |= {stem(noun): number.value for noun in number.nouns}
        return counts_by_stem

    @cached_property
    def answer_words(self) -> frozenset[str]:
        """The words of all texts in the answer, in lower case."""
        return frozenset(word.lower() for word in WORD.findall(repr(self.answer).replace("'", " ")))

    @cached_property
    def listed_records(self) -> list[Record]:
        """The objects in an answer that is a list of several objects.

        The list is empty for any other answer, and if an object has fewer than two fields besides
        ids.
        """
        records = [record_of(part) for part in self.answer] if isinstance(self.answer, list) else []
        fields = [[field for field in record if not field.endswith("_id")] for record in records]
        return records if len(records) > 1 and min(map(len, fields)) > 1 else []

    @cached_property
    def _arguments(self) -> str:
        arguments = (
            f"{value} cents" if name.endswith("_cents") else str(value)
            for name, value in self.arguments.items()
            if isinstance(value, str | int | float)
        )
        return "\n".join(arguments).lower()

    @cached_property
    def days(self) -> list[Day]:
        """The days in the request and in the arguments of the call."""
        return days_in(f"{self.text}\n{self._arguments}")

    @cached_property
    def clause_days(self) -> list[Day]:
        """The days in `clause`, the part that asks the question."""
        return days_in(unquoted(self.clause.lower()))

    @cached_property
    def clause_day(self) -> Day | None:
        """The day that the question is about, or None.

        It is None if the question names no day, several days, or a bound such as `from Friday on`.
        If the call's arguments contain dates, it is the date among them that the named day can
        mean.
        """
        day = self.clause_days[0] if len(self.clause_days) == 1 else None
        if day is None or _BOUND.search(self.clause.lower()[: day.start]):
            return None
        dated = [(each, each.date(self.today)) for each in days_in(self._arguments)]
        days = (each for each, date in dated if date and day.is_day(date, self.today))
        return next(days, None if dated else day)

    @cached_property
    def other_labels(self) -> re.Pattern[str]:
        """A pattern for the label before a value of another field of the object with the answer."""
        fields = (name for name in (self.records[0] if self.records else ()) if name != self.field)
        names = (name.removesuffix("_cents").replace("_", " ") for name in fields)
        labels = "|".join(re.escape(name) for name in names if name not in self.field_words)
        return re.compile(
            rf"(?:^|[\n,;(]|\b(?:the|its|their|your|and)\b) ?(?:{labels or '(?!)'})"
            r"(?:(?: is| was)?:?| =) ?[\"$\u20ac]?$"
        )

    @cached_property
    def other_values(self) -> dict[str, frozenset[str]]:
        """A mapping from values in other fields of the answer's object to stems of the field name.

        The values are days, times and numbers. For example, the field `{"party_size": 4}` maps "4"
        to the stems of "party size".
        """
        stems: dict[str, frozenset[str]] = {}
        for name, value in self.records[0].items() if self.records else ():
            text = str(value).lower() if name != self.field else ""
            keys = [day.key(self.today) for day in days_in(text)]
            keys += [f"{number.value.normalize():f}" for number in _numbers(text)]
            for key in [*keys, *(time.key for time in times_in(text))]:
                stems[key] = stems.get(key, frozenset()) | stems_of(name.replace("_", " "))
        return stems

    @cached_property
    def times(self) -> list[Time]:
        """The times in the request and in the arguments of the call."""
        return times_in(f"{self.text}\n{self._arguments}")

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers that the request mentions."""
        return _numbers(self.text)

    @cached_property
    def argument_numbers(self) -> list[Number]:
        """The numbers in the arguments of the call."""
        return _numbers(self._arguments)


def record_of(value: Plain) -> Record:
    """Return an object unchanged, or parse a text such as `Title: The Fair, Date: 1908-10-06`.

    A value of another form becomes an empty object.
    """
    return value if isinstance(value, dict) else dict(_LABELLED.findall(str(value)))


def _numbers(lower: str) -> list[Number]:
    return numbers_beside(lower, [*days_in(lower), *times_in(lower)])


def _roots(text: str) -> frozenset[str]:
    return frozenset(word[:_ROOT] for word in stems_of(text))


def _sure(names: list[Name]) -> list[Name]:
    """Return the names except single words that may be capitalised only to begin a sentence."""
    return [name for name in names if not name.opens or len(name.sequence) > 1]


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the content words in a text."""
    words = (word.lower().removesuffix("'s") for word in WORD.findall(text))
    return frozenset(
        stem(word) for word in words if len(word) > 2 and word not in _STOP and word not in WEEKDAYS
    )
