"""Decide on a reply: it must state every value of the answer, and no other value instead."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import chain

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.kinds.amounts import (
    number_mentions,
    numbers_in_request,
    requested_number,
)
from benchloom.worlds.answers.kinds.calendar import RequestedMoment as WantedMoment
from benchloom.worlds.answers.kinds.calendar import judge_moment, judge_weekday
from benchloom.worlds.answers.kinds.truths import judge_truth
from benchloom.worlds.answers.kinds.words import judge_words
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Mention, Reply
from benchloom.worlds.answers.selection import answers_among
from benchloom.worlds.answers.values.moments import WEEKDAYS

_TRUTHS = {"true": True, "false": False}
_NAMES = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)+")
_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?")
_POSSIBLE = re.compile(r"\b(?:what|which)\b[^.?!\n]*\b(?:might|may|could)\b|\bpossibl|\bcauses?\b")
_MODAL = re.compile(r"\b(?:might|may|could)(?= (?:\w+ )?(?:be|have|come)\b)")
_ROUGHLY = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|a cent (?:more|less))\b"
)


class Verdict(msgspec.Struct, frozen=True):
    """The decision on a reply; `reason` says why it is wrong, empty if it is right."""

    reason: str = ""

    @property
    def right(self) -> bool:
        """Whether the reply answers the question."""
        return not self.reason


def decide(question: Question, text: str) -> Verdict:
    """Decide whether a reply states the answer of a question.

    A reply that is exactly the answer as JSON is right for every kind of answer.
    """
    if text.strip() == msgspec.json.encode(question.answer).decode():
        return Verdict()
    if _POSSIBLE.search(question.text):
        text = _MODAL.sub("can", text)
    return Verdict(_Reading(question, Reply(text)).judge(question.answer, question.field))


class _Reading:
    """One reply read for one question."""

    def __init__(self, question: Question, reply: Reply) -> None:
        self.question = question
        self.reply = reply

    def judge(self, value: Plain, field: str) -> str:
        """Return why the reply does not state a value; empty if it does."""
        if isinstance(value, list):
            return self._judge_list(value, field)
        if isinstance(value, dict):
            return self._judge_object(value)
        if isinstance(value, bool) or str(value).lower() in _TRUTHS:
            return judge_truth(self.question, self.reply, field, value=str(value).lower() == "true")
        if isinstance(value, str):
            return self._judge_text(value, field)
        return "" if value is None else self._judge_number(value, field)

    def _judge_text(self, value: str, field: str) -> str:
        moment = WantedMoment(value, field)
        if moment:
            return judge_moment(self.question, self.reply, moment)
        if _NUMERAL.fullmatch(value):
            return self._judge_number(float(value), field)
        if value.lower() in WEEKDAYS:
            return judge_weekday(self.question, self.reply, value)
        return judge_words(self.question, self.reply, value)

    def _judge_number(self, value: float, field: str) -> str:
        target = requested_number(self.question, value, field)
        mentions = number_mentions(self.question, self.reply, target)
        return answers_among(
            self.question, self.reply, mentions, numbers_in_request(self.question, target)
        )

    def _judge_object(self, value: dict[str, Plain]) -> str:
        """Return why the reply does not state every field of an object; empty if it does.

        Ids beside names are not required, nor are truth values: no single word of a reply
        states a truth value.
        """
        named = any(
            isinstance(leaf, str) and not key.endswith("_id") for key, leaf in value.items()
        )
        for key, leaf in value.items():
            truth = isinstance(leaf, bool) or str(leaf).lower() in _TRUTHS
            if truth or (named and key.endswith("_id")):
                continue
            question = msgspec.structs.replace(self.question, field=key)
            reason = _Reading(question, self.reply).judge(leaf, key)
            if reason:
                return reason
        return ""

    def _judge_list(self, values: Sequence[Plain], field: str) -> str:
        numbers = [value for value in values if _is_number(value)]
        if numbers and len(numbers) == len(values):
            return self._judge_numbers([float(str(number)) for number in numbers], numbers, field)
        for value in values:
            reason = self.judge(value, field)
            if reason:
                return reason
        return "" if len(values) < 2 else self._added_names()

    def _judge_numbers(self, exact: Sequence[float], values: Sequence[Plain], field: str) -> str:
        """Return why the reply does not state all numbers of a list; empty if it does.

        One statement may cover all numbers, or each number is stated separately, or all of them
        are joined by slashes, as in `120/80`.
        """
        low, high = min(exact), max(exact)
        pair = re.escape("/".join(map(str, values)))
        if re.search(rf"(?<![\w./]){pair}(?![\w/]|\.[0-9])", self.reply.lower):
            return ""
        if low == high:
            return self.judge(values[0], field)
        mentions_by_value: dict[Plain, list[Mention]] = {}
        request_keys: set[str] = set()
        for value in dict.fromkeys(values):
            assert isinstance(value, int | float)  # noqa: S101  numbers alone come here
            target = requested_number(self.question, value, field)
            request_keys = numbers_in_request(self.question, target)
            mentions_by_value[value] = number_mentions(self.question, self.reply, target)
        if not all(
            any(mention.fits for mention in mentions) for mentions in mentions_by_value.values()
        ):
            return self._roughly(
                mentions_by_value, request_keys, Decimal(str(high)) - Decimal(str(low))
            )
        mentions = sorted(chain(*mentions_by_value.values()), key=lambda mention: mention.fits)
        merged = {mention.start: mention for mention in mentions}
        return answers_among(self.question, self.reply, [*merged.values()], request_keys)

    def _roughly(
        self, mentions_by_value: dict[Plain, list[Mention]], request_keys: set[str], spread: Decimal
    ) -> str:
        """Return why one approximate number does not cover all values; empty if it does.

        The values may differ by at most one.
        """
        if spread > 1 or not _ROUGHLY.search(self.reply.lower):
            return "not said"
        reasons = [
            answers_among(self.question, self.reply, mentions, request_keys)
            for mentions in mentions_by_value.values()
        ]
        return "" if "" in reasons else reasons[0]

    def _added_names(self) -> str:
        """Return a fault if the reply adds names to a list of names; else empty."""
        question_words = self.question.answer_words | self.question.names
        for name in _NAMES.findall(self.reply.text):
            low = name.lower()
            if low not in self.question.text and question_words.isdisjoint(low.split()):
                return "a name that is not among them"
        return ""


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
