"""Judge replies whose answer is a day, a time or a weekday."""

import datetime
import re
from contextlib import suppress

from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Mention, Reply
from benchloom.worlds.answers.selection import answers_among
from benchloom.worlds.answers.values.moments import WEEKDAYS, differ

_MOMENT = re.compile(
    r"(?:(?P<year>[0-9]{4}-)?(?P<day>[0-9]{2}-[0-9]{2}))?"
    r"(?:(?:^|[T ])(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::00)?)?"
)
_ASKS_TIME = re.compile(r"\b(?:what|which) (?:time|hour)\b")
_LEAP = "2028-"


class RequestedMoment:
    """The day, the time of day, or both that a question asks for.

    `date` or `minutes` (after midnight) is None if the answer does not contain it. `yearly` is true
    if the day recurs every year, like a birthday.
    """

    def __init__(self, value: str, field: str) -> None:
        self.date: datetime.date | None = None
        self.minutes: int | None = None
        match = _MOMENT.fullmatch(value)
        parts = {} if match is None else match.groupdict()
        self.yearly = field == "birthday" or not parts.get("year")
        if parts.get("day"):
            with suppress(ValueError):
                self.date = datetime.date.fromisoformat((parts["year"] or _LEAP) + parts["day"])
        if parts.get("hour") and (self.date is not None or not parts["day"]):
            self.minutes = 60 * int(parts["hour"]) + int(parts["minute"])

    def __bool__(self) -> bool:
        return self.date is not None or self.minutes is not None


def judge_moment(question: Question, reply: Reply, target: RequestedMoment) -> str:
    """Return why a reply does not state the requested day and time, or "" if it does.

    If the requested time of a day is midnight, the reply may omit it.
    """
    if target.minutes is not None:
        mentions = [
            Mention(time.start, time.end, target.minutes in time.minutes, time.key)
            for time in reply.times
        ]
        request_keys = {time.key for time in question.times}
        new = any(mention.key not in request_keys for mention in mentions)
        if new or target.minutes or target.date is None:
            reason = answers_among(question, reply, mentions, request_keys)
            if reason:
                return reason
    return "" if target.date is None else _judge_day(question, reply, target, target.date)


def _judge_day(
    question: Question, reply: Reply, target: RequestedMoment, date: datetime.date
) -> str:
    today = question.today
    mentions = [
        Mention(day.start, day.end, day.is_day(date, today, yearly=target.yearly), day.key(today))
        for day in reply.days
        if not target.yearly or day.day is not None or day.offset is not None
    ]
    is_time_question = target.minutes is not None and (
        _ASKS_TIME.search(question.clause.lower()) is not None
        or any(day.is_day(date, today) for day in question.clause_days)
    )
    request_keys = {day.key(today) for day in question.days}
    repeated = all(mention.fits or mention.key in request_keys for mention in mentions)
    if is_time_question and repeated:
        return ""
    return answers_among(question, reply, mentions, request_keys, roles=target.minutes is None)


def judge_weekday(question: Question, reply: Reply, value: str) -> str:
    """Return why a reply does not state the day of the week, or "" if it does."""
    number = WEEKDAYS.index(value.lower())
    question_day = question.clause_day
    mentions = [
        Mention(day.start, day.end, fits=day.weekday == number, key=str(day.weekday))
        for day in reply.days
        if day.weekday is not None
        and not (day.day and question_day and differ(question_day, day, question.today))
    ]
    request_keys = {str(day.weekday) for day in question.days}
    return answers_among(question, reply, mentions, request_keys)
