"""Judge whether a reply states every value of the answer to a question, and no wrong value."""

import re
from collections.abc import Sequence

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.kinds.amounts import judge_numbers
from benchloom.worlds.answers.kinds.calendar import RequestedMoment, judge_moment, judge_weekday
from benchloom.worlds.answers.kinds.truths import judge_truth
from benchloom.worlds.answers.kinds.words import covers, judge_words
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.records import about, keyed, masked_texts
from benchloom.worlds.answers.reply import Reply
from benchloom.worlds.answers.values.moments import WEEKDAYS

_TRUTHS = {"true": True, "false": False}
_NAMES = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)+")
_YEAR = re.compile(r"\b[0-9]{4}\b")
_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,2})(?:\.[0-9]{1,6})?")
_POSSIBLE = re.compile(r"\b(?:what|which)\b[^.?!\n]*\b(?:might|may|could)\b|\bpossibl|\bcauses?\b")
"""Matches questions that ask for a possibility, whose answer may say `it might be`."""
_MODAL = re.compile(r"\b(?:might|may|could)(?= (?:\w+ )?(?:be|have|come)\b)")


def fault_in(question: Question, *messages: str) -> str:
    """Return why the messages do not state the answer to a question, or "" if they do.

    If there are as many messages as turns of the user, each message replies to one turn, and only
    the replies to the turn with the question and to later turns count. If there is a single
    message, its lines are treated as the messages. A reply that consists only of the answer as JSON
    is always right.
    """
    text = "\n".join(messages)
    if len(messages) == 1:
        messages = tuple(text.split("\n"))
    turn = question.asking_turn if len(messages) == len(question.turns) else 0
    if text.strip() == msgspec.json.encode(question.answer).decode():
        return ""
    if _POSSIBLE.search(question.text):
        text = _MODAL.sub("can", text)
    reply = Reply(text, "\n".join(messages[:turn]))
    if len(question.records) > 1:
        fields = question.answer if isinstance(question.answer, dict) else (question.field,)
        other_fields = [
            {field: value for field, value in record.items() if field not in fields}
            for record in question.records
        ]
        reply = about(reply, other_fields, 0)
    return _judge(question, reply, question.answer)


def _judge(question: Question, reply: Reply, value: Plain) -> str:
    if question.records and not isinstance(value, dict):
        reply = masked_texts(reply, question.records[0], question.field, question.text)
    if isinstance(value, list):
        return _judge_list(question, reply, value)
    if isinstance(value, dict):
        return _judge_object(question, reply, value)
    if isinstance(value, bool) or str(value).lower() in _TRUTHS:
        return judge_truth(question, reply, value=str(value).lower() == "true")
    if isinstance(value, str):
        return _judge_text(question, reply, value)
    return "" if value is None else judge_numbers(question, reply, [value])


def _judge_text(question: Question, reply: Reply, value: str) -> str:
    moment = RequestedMoment(value, question.field)
    if moment:
        return judge_moment(question, reply, moment)
    if _NUMERAL.fullmatch(value):
        return judge_numbers(question, reply, [float(value.replace(",", ""))])
    if value.lower() in WEEKDAYS:
        return judge_weekday(question, reply, value)
    return judge_words(question, reply, value)


def _judge_object(question: Question, reply: Reply, value: dict[str, Plain]) -> str:
    """Return why a reply does not state every field of an object, or "" if it does.

    Ids are optional if the object has another text, such as a name. Booleans are optional, because
    no single word states them.
    """
    has_text = any(isinstance(leaf, str) and not key.endswith("_id") for key, leaf in value.items())
    for key, leaf in value.items():
        if str(leaf).lower() in _TRUTHS or (has_text and key.endswith("_id")):
            continue
        records = question.records or (value,)
        part = msgspec.structs.replace(question, field=key, records=records)
        reason = _judge(part, reply, leaf)
        if reason:
            return reason
    return ""


def _judge_list(question: Question, reply: Reply, values: Sequence[Plain]) -> str:
    numbers = [value for value in values if isinstance(value, int | float)]
    if numbers and len(numbers) == len(values) and not isinstance(numbers[0], bool):
        return judge_numbers(question, reply, numbers)
    if question.listed_records and values is question.answer:
        return _judge_records(question, reply, values)
    reasons = (_judge(question, reply, value) for value in values)
    added = _added_names(question, reply) if len(values) > 1 else ""
    return next(filter(None, reasons), added)


def _judge_records(question: Question, reply: Reply, values: Sequence[Plain]) -> str:
    years = {*_YEAR.findall(str(values))}
    for index, (value, record) in enumerate(zip(values, question.listed_records, strict=True)):
        part = about(reply, keyed(question.listed_records), index, exclusive=True)
        if isinstance(value, dict):
            reason = _judge_object(question, part, value)
        elif years & {*_YEAR.findall(part.text)} - {*_YEAR.findall(str(value))}:
            reason = "values of different objects are mixed"
        else:
            reason = "" if any(covers(part, str(text)) for text in record.values()) else "not said"
        if reason:
            return reason
    return ""


def _added_names(question: Question, reply: Reply) -> str:
    question_words = question.answer_words | question.names
    for name in _NAMES.findall(reply.text):
        low = name.lower()
        if low not in question.text and question_words.isdisjoint(low.split()):
            return "a name that is not in the answer"
    return ""
