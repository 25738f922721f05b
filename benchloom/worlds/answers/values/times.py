"""Find the times of day that a text mentions, such as `8:30 pm` or `half past eight`."""

import re
from collections.abc import Iterable
from itertools import pairwise

import msgspec

from benchloom.core.plain_words import SMALL_NUMBER_NAMES
from benchloom.worlds.answers.values.moments import HOUR_NAMES, Day
from benchloom.worlds.answers.values.numbers import TENS_NAMES, Number, numbers_in

_HOURS = {word: number for number, word in enumerate(HOUR_NAMES.split())}
_HOURS["twelve"] = 12
_HOUR = rf"(?:[0-9]{{1,2}}|{'|'.join(_HOURS)})"
_TENS = TENS_NAMES.split()[:4]
_MINUTE_WORDS = {word: number for number, word in enumerate(SMALL_NUMBER_NAMES.split())}
_MINUTE_WORDS |= {word: 20 + 10 * number for number, word in enumerate(_TENS)}
_MINUTE_WORDS |= {"quarter": 15, "half": 30}
_MINUTE = rf"(?:(?:{'|'.join(_TENS)})[- ])?(?:{'|'.join(_MINUTE_WORDS)})"
_HALF = r" ?(?P<half{0}>[ap])\.? ?m\b\.?"
_PART = (
    r"(?: (?:in the|this|every|each|tomorrow) (?P<part>morning|afternoon|evening)"
    r"| at (?P<night>night))?"
)
_BEFORE_HOUR = "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("at", "as of", "from", "by", "until", "till", "to"),
        *("since", "before", "after", "around", "about"),
    )
)
_BEHIND_HOUR = (
    r"(?=\W*(?:$|[.,;!?)\n]|(?:and|or|on|to|until|till|in|this|at|sharp|for|today|tomorrow"
    r"|every|each)\b))"
)
_DAY_PART = r"(?= (?:in the|this|every|each) (?:morning|afternoon|evening)| at night)"
_TIMES = re.compile(
    rf"(?:(?<![\w:.,])(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[t ])?"
    rf"(?P<h>[0-9]{{1,2}})[:h](?P<m>[0-5][0-9])(?::[0-9]{{2}})?"
    rf"(?:z|\+00:00)?(?:{_HALF.format(1)}|(?!:?\w))"
    rf"|(?<![\w:.,])(?P<h2>[0-9]{{1,2}})\.(?P<m2>[0-5][0-9])(?:{_HALF.format(2)}| ?(?:uhr|hrs)\b)"
    rf"|(?<![\w:.,])(?P<h3>{_HOUR}){_HALF.format(3)}"
    rf"|(?:(?<!from )(?<!between )|(?=[a-z0-9 -]{{3,30}} past ))"
    rf"\b(?P<shift>(?:a )?{_MINUTE}(?: minutes?)?|half an hour"
    rf"|[0-9]{{1,2}} minutes?)"
    rf" (?P<way>past|after|to|before) (?P<h4>{_HOUR}|noon|midday|midnight)\b(?![:.][0-9])"
    rf"(?:{_HALF.format(4)})?"
    rf"|(?<![\w:.,])(?P<h5>{_HOUR}) o'clock(?:{_HALF.format(5)})?"
    rf"|(?:{_BEFORE_HOUR})(?P<h6>{_HOUR})(?:\.(?P<m6>[0-5][0-9]))?{_BEHIND_HOUR}"
    rf"|(?<=: )(?P<h8>[0-9]{{1,2}})\.(?P<m8>[0-5][0-9])(?!\.[0-9]){_BEHIND_HOUR}"
    rf"|(?<![\w:.,])(?P<h7>{_HOUR}){_DAY_PART}"
    rf"|\b(?P<noon>noon|midday|midnight)\b){_PART}"
)
_HOUR_GROUPS = ("h", "h2", "h3", "h4", "h5", "h6", "h7", "h8")
_SHARED_HALF = re.compile(r" ?(?:--?|to|until|till) ?[0-9:.]+ ?p\.?m\b\.?")
"""Matches the second part of a range that writes pm only once, as in `7:00-8:30 pm`."""
_NOON = 12
_NOONS = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_NOON_MINUTES, _DAY_MINUTES = 12 * 60, 24 * 60


class Time(msgspec.Struct, frozen=True, kw_only=True):
    """A time of day in a text; `minutes` contains the minutes after midnight that it can mean.

    `bare` is true if the time may also be an ordinary number, as in `at 8`. If a question asks for
    a number, a bare time counts as a number.
    """

    start: int
    end: int
    minutes: frozenset[int]
    bare: bool = False

    @property
    def key(self) -> str:
        """A key that is equal for all spellings of a time, such as "3 pm" and "15:00"."""
        return ",".join(map(str, sorted(self.minutes)))


def times_in(lower: str) -> list[Time]:
    """Return the times of day in a text, in order."""
    times = [time for match in _TIMES.finditer(lower) if (time := _time(match)) is not None]
    for index, (first, second) in enumerate(pairwise(times)):
        early, late = min(first.minutes), min(second.minutes)
        half = _SHARED_HALF.fullmatch(lower, first.end, second.end)
        if half and late >= _NOON_MINUTES and early < late - _NOON_MINUTES:
            minutes = frozenset({early + _NOON_MINUTES})
            times[index] = msgspec.structs.replace(first, minutes=minutes)
    return times


def masked(lower: str, spans: Iterable[Day | Time]) -> str:
    """Blank out the days and times in a text, except bare hours (`at 8`), and keep its length."""
    letters = list(lower)
    for span in spans:
        if isinstance(span, Time) and span.bare:
            continue
        letters[span.start : span.end] = "\x00" * (span.end - span.start)
    return "".join(letters)


def numbers_beside(lower: str, spans: Iterable[Day | Time]) -> list[Number]:
    """Return the numbers of a text that are not part of its days and times."""
    return numbers_in(lower, masked(lower, spans))


def _time(match: re.Match[str]) -> Time | None:
    parts = match.groupdict()
    hour_word = parts["noon"] or parts["h4"]
    vague = any(parts[name] for name in ("h4", "h5", "h6", "h7"))
    if hour_word in _NOONS:
        hours = {_NOONS[hour_word]}
    else:
        hour_text = next(value for number in _HOUR_GROUPS if (value := parts[number]))
        hour = _HOURS[hour_text] if hour_text in _HOURS else int(hour_text)
        half = next((parts[f"half{n}"] for n in range(1, 6) if parts[f"half{n}"]), "")
        if hour > 24 or (half == "a" and hour > _NOON) or (half and not hour):
            return None
        hours = _hours(hour, half, parts["part"] or parts["night"] or "", vague=vague)
    shift = _shift(parts["shift"], parts["way"]) if parts["shift"] else 0
    shift += int(parts["m"] or parts["m2"] or parts["m6"] or parts["m8"] or 0)
    minutes = frozenset((60 * each + shift) % _DAY_MINUTES for each in hours)
    bare = any(parts[name] for name in ("h6", "h7", "h8"))
    return Time(start=match.start(), end=match.end(), minutes=minutes, bare=bare)


def _shift(text: str, way: str) -> int:
    """Return the minutes to add to the hour for `twenty-five past`, or -15 for `a quarter to`."""
    words = re.findall(r"[a-z]+|[0-9]+", text)
    minutes = sum(int(word) if word.isdigit() else _MINUTE_WORDS.get(word, 0) for word in words)
    return minutes if way in {"past", "after"} else -minutes


def _hours(hour: int, half: str, part: str, *, vague: bool) -> set[int]:
    morning, later = hour % _NOON, hour % _NOON + _NOON
    if (half and hour <= _NOON) or (part and hour <= _NOON):
        first = half == "a" or part == "morning" or (part == "night" and hour in {12, 1, 2, 3, 4})
        return {morning} if first else {later}
    return {morning, later} if vague and hour <= _NOON else {hour % 24}
