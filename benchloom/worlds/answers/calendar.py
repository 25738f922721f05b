"""Days, times and weekdays as answers."""

import datetime
import re

from benchloom.worlds.answers.mentions import Mention
from benchloom.worlds.answers.moments import WEEKDAYS, YEARLY, Day, Time
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Reply
from benchloom.worlds.answers.selection import answers_among

_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]((?:[01][0-9]|2[0-3]):[0-5][0-9])(?::00)?)?"
)
_TIME = re.compile(r"((?:[01][0-9]|2[0-3]):[0-5][0-9])(?::00)?")
_ASKS_TIME = re.compile(r"\b(?:what|which) (?:time|hour)\b")
_LEAP = 2028


class Wanted:
    """The day, the time of the day, or both that are asked for; None where there is none."""

    def __init__(self, value: str, field: str) -> None:
        self.date: datetime.date | None = None
        self.minutes: int | None = None
        self.yearly = field == "birthday"
        time = None
        if match := _MOMENT.fullmatch(value):
            try:
                self.date = datetime.date.fromisoformat(match[1])
            except ValueError:
                self.date = None
            time = match[2] if self.date is not None else None
        elif match := YEARLY.fullmatch(value):
            self.yearly = True
            try:
                self.date = datetime.date(_LEAP, int(match[1]), int(match[2]))
            except ValueError:
                self.date = None
        elif match := _TIME.fullmatch(value):
            time = match[1]
        if time is not None:
            self.minutes = 60 * int(time[:2]) + int(time[3:])

    def __bool__(self) -> bool:
        return self.date is not None or self.minutes is not None


def judge_moment(
    question: Question, reply: Reply, wanted: Wanted, days: list[Day], times: list[Time]
) -> str:
    """Why a reply does not tell a day or a time; empty where it does.

    A day without a time says midnight.
    """
    if wanted.minutes is not None:
        mentions = [
            Mention(
                start=time.start,
                end=time.end,
                fits=wanted.minutes in time.minutes,
                key=time.key,
            )
            for time in times
        ]
        given = {time.key for time in question.times}
        told = [mention for mention in mentions if mention.key not in given]
        if told or wanted.minutes or wanted.date is None:
            reason = answers_among(question, reply, mentions, given)
            if reason:
                return reason
    return "" if wanted.date is None else _judge_day(question, reply, wanted, days, wanted.date)


def _judge_day(
    question: Question, reply: Reply, wanted: Wanted, days: list[Day], date: datetime.date
) -> str:
    today = datetime.date.fromisoformat(question.now[:10])
    mentions = [
        Mention(
            start=day.start,
            end=day.end,
            fits=day.is_day(date, today, yearly=wanted.yearly),
            key=day.key,
        )
        for day in days
    ]
    known = wanted.minutes is not None and (
        _ASKS_TIME.search(question.clause.lower()) is not None
        or any(day.is_day(date, today) for day in question.clause_days)
    )
    given = {day.key for day in question.days}
    if known:
        fitting = {mention.key for mention in mentions if mention.fits}
        if not [mention for mention in mentions if mention.key not in given | fitting]:
            return ""
    return answers_among(question, reply, mentions, given)


def judge_weekday(question: Question, reply: Reply, value: str, days: list[Day]) -> str:
    """Why a reply does not tell a day of the week; empty where it does."""
    wanted = WEEKDAYS.index(value.lower())
    mentions = [
        Mention(start=day.start, end=day.end, fits=day.weekday == wanted, key=day.key)
        for day in days
        if day.weekday is not None
    ]
    given = {day.key for day in question.days}
    return answers_among(question, reply, mentions, given)
