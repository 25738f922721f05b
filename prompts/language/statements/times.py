"""Find times of day in a text: "half past seven", "7.30 pm", "noon", "seven in the evening"."""

from collections.abc import Iterator, Sequence

import msgspec

from prompts.language.statements.dates import month_of
from prompts.language.statements.items import Item, is_number, word_at

_HALF_DAY = 720
_PARTS_OF_DAY = {
    "morning": "am", "afternoon": "pm", "evening": "pm", "tonight": "pm", "night": "night",
    "noon": "pm",
}  # fmt: skip
_AT = {"at", "by", "until", "till", "from", "before", "after", "around", "about", "since", "past"}
_LED = _AT | {"to", "between", "="}
_IN_DIGITS = frozenset({"clock", "number"})
_NAMED = frozenset({"noon", "midday", "midnight", "quarter", "half"})
"""Words that a time of day may begin with."""
_PAST = {"past", "after"}
_TO = {"to", "before", "till", "of"}
_ROUND = {5, 10, 20, 25}
"""Minutes that people name before "past" and "to" without the word "minutes"."""
_BEHIND = {
    "", ",", ".", ";", "!", "?", ")", "(", "-", '"', "and", "or", "but", "please", "with", "for",
    "in", "on", "to", "until", "till", "at", "then", "so", "if", "when", "every", "each", "sharp",
    "today", "tomorrow", "tonight", "this", "next", "from", "by", "because", "as", "is", "would",
    "will", "works", "exactly", "daily", "the", "i", "we", "me", "my", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "'", "\u201d", "that", "which", "now",
    "instead", "onwards", "onward", "latest",
}  # fmt: skip


class Clock(msgspec.Struct, frozen=True, gc=False):
    """A time of day in a text, in minutes after midnight.

    `start` and `end` delimit the items of the text (words and signs) that express the time.

    `exact` is True if it is known whether the time is before or after noon. `bare` is True for an
    hour alone, as in "at 7".
    """

    minutes: int
    exact: bool
    start: int
    end: int
    bare: bool = False

    def means(self, expected_minutes: int) -> bool:
        """Whether this time can mean `expected_minutes` after midnight.

        A time that is not exact matches both before and after noon.
        """
        if self.exact:
            return self.minutes == expected_minutes
        return self.minutes % _HALF_DAY == expected_minutes % _HALF_DAY


def clocks_of(items: Sequence[Item]) -> tuple[Clock, ...]:
    """Return every time of day among the items, in order."""
    clocks: list[Clock] = []
    i = 0
    while i < len(items):
        if items[i].kind not in _IN_DIGITS and items[i].word not in _NAMED:
            i += 1
            continue
        read = next(_read_at(items, i), None)
        if read is None:
            i += 1
        else:
            clocks.append(read)
            i = read.end
    return tuple(clocks)


def _read_at(items: Sequence[Item], i: int) -> Iterator[Clock]:
    item = items[i]
    if item.kind == "clock":
        hour, minute = (int(part) for part in item.word.split(":")[:2])
        if hour <= 24 and minute < 60:
            sure = hour == 0 or hour > 12 or item.word.startswith("0")
            yield _clock_of(items, i, i + 1, hour * 60 + minute, exact=sure)
    elif item.word in {"noon", "midday"}:
        yield Clock(_HALF_DAY, exact=True, start=i, end=i + 1)
    elif item.word == "midnight":
        yield Clock(0, exact=True, start=i, end=i + 1)
    elif item.kind == "number":
        yield from _numbers(items, i)
    elif item.word == "quarter":
        yield from _relative(items, i, 15)
    elif item.word == "half" and word_at(items, i + 1) == "past":
        yield from _relative(items, i, 30)


def _numbers(items: Sequence[Item], i: int) -> Iterator[Clock]:
    item = items[i]
    value, after = item.value, word_at(items, i + 1)
    is_military = len(item.word) == 4 and (item.word[0] == "0" or after in {"hours", "hrs"})
    if is_military and item.word.isdigit() and value % 100 < 60 and value < 2400:
        yield Clock(int(value // 100 * 60 + value % 100), exact=True, start=i, end=i + 1)
        return
    if item.fraction and value in {0.25, 0.5}:
        if value == 0.5:
            yield from _half_hour(items, i)
        yield from _relative(items, i, int(value * 60))
        return
    if item.ordinal or item.fraction or month_of(word_at(items, i - 1)):
        # "March 8 in the evening" states a day, and no hour.
        return
    is_minutes = after in {"minute", "minutes", "min"}
    if value in _ROUND or (is_minutes and value == int(value) and 0 < value < 60):
        beside_month = month_of(word_at(items, i - 1)) or month_of(word_at(items, i + 3))
        shift = 2 if is_minutes else 1
        if not beside_month and word_at(items, i + shift) in _PAST | _TO - {"of"}:
            yield from _relative(items, i, int(value), shift)
    hour = int(value)
    if not 0 <= hour <= 24:
        return
    if value != hour:
        yield from _with_dot(items, i, hour)
        return
    end, half = _half(items, i + 1)
    if half and hour > 0:
        yield Clock(
            _half_of(hour % 12 * 60 if hour <= 12 else hour * 60, half),
            exact=True,
            start=i,
            end=end,
        )
        return
    if after in {"o'clock", "oclock"}:
        yield _clock_of(items, i, i + 2, hour * 60, exact=hour > 12)
    elif after == "o" and "clock" in {word_at(items, i + 2), word_at(items, i + 3)}:
        end = i + 3 if word_at(items, i + 2) == "clock" else i + 4
        yield _clock_of(items, i, end, hour * 60, exact=hour > 12)
    elif after == "h" and items[i + 1].glued and hour > 12 and is_number(items, i + 2):
        yield Clock(hour * 60 + int(items[i + 2].value) % 60, exact=True, start=i, end=i + 3)
    else:
        yield from _in_words(items, i, hour)


def _half_hour(items: Sequence[Item], i: int) -> Iterator[Clock]:
    """Yield times like "half six", which the British say for half past six."""
    if not is_number(items, i + 1) or not 1 <= items[i + 1].value <= 12:
        return
    hour = items[i + 1].value
    clock = _clock_of(items, i, i + 2, int(hour) * 60 + 30)
    if hour == int(hour) and (clock.exact or word_at(items, i + 2) in _BEHIND):
        yield clock


def _in_words(items: Sequence[Item], i: int, hour: int) -> Iterator[Clock]:
    """Yield times like "seven thirty", "ten oh five", "seven in the evening", "at 7"."""
    if hour > 12 or hour == 0:
        if hour and word_at(items, i - 1) == "at" and word_at(items, i + 1) in _BEHIND:
            yield _clock_of(items, i, i + 1, hour * 60, exact=True, bare=True)
        return
    j = i + 1
    if word_at(items, j) == "-" and items[j].glued and not items[i].digits:
        j += 1
    if word_at(items, j) in {"oh", "o"} and is_number(items, j + 1) and items[j + 1].value < 10:
        yield _clock_of(items, i, j + 2, hour * 60 + int(items[j + 1].value))
        return
    if is_number(items, j) and not items[j].glued and not items[j].ordinal:
        minute = items[j].value
        spoken = not items[i].digits or not items[j].digits
        if 10 <= minute < 60 and minute == int(minute):
            clock = _clock_of(items, i, j + 1, hour * 60 + int(minute))
            if clock.exact or (spoken and word_at(items, j + 1) in _BEHIND):
                yield clock
                return
    j = i + 1
    clock = _clock_of(items, i, j, hour * 60)
    begins_range = word_at(items, j) in {"to", "until", "till", "-"} and _half(items, j + 2)[1]
    if clock.exact and (clock.end > j or word_at(items, i - 1) in _AT | {"'"}
                        or word_at(items, i - 1) in _PARTS_OF_DAY):  # fmt: skip
        yield clock
    elif begins_range or (word_at(items, i - 1) in _LED and word_at(items, j) in _BEHIND):
        yield msgspec.structs.replace(clock, bare=True)


def _with_dot(items: Sequence[Item], i: int, hour: int) -> Iterator[Clock]:
    """Yield times like "7.30 pm" and "at 7.30", but not prices and versions."""
    whole, _, decimals = items[i].word.partition(".")
    if len(decimals) != 2 or not whole.isdigit() or int(decimals) > 59:
        return
    minutes = hour * 60 + int(decimals)
    clock = _clock_of(items, i, i + 1, minutes, exact=hour > 12 or whole.startswith("0"))
    before = word_at(items, i - 1)
    if clock.end > i + 1:
        yield clock
    elif before in _AT and word_at(items, i + 1) in _BEHIND:
        yield msgspec.structs.replace(clock, bare=True)


def _relative(items: Sequence[Item], i: int, minutes: int, shift: int = 1) -> Iterator[Clock]:
    """Yield times like "quarter past six", "twenty to nine", "five minutes before ten"."""
    link, j = word_at(items, i + shift), i + shift + 1
    if not is_number(items, j) or items[j].ordinal or items[j].fraction:
        if word_at(items, j) in {"noon", "midnight"} and link in _PAST | _TO:
            base = _HALF_DAY if items[j].word == "noon" else 0
            step = minutes if link in _PAST else -minutes
            yield Clock((base + step) % (2 * _HALF_DAY), exact=True, start=i, end=j + 1)
        return
    hour = items[j].value
    if hour != int(hour) or not 1 <= hour <= 24 or link not in _PAST | _TO:
        return
    if word_at(items, j + 1) in {"people", "guests", "minutes", "hours", "days", "percent", "-"}:
        return
    if link == "to" and (hour > 12 or word_at(items, i - 1) in {"from", "between"}):
        return
    step = minutes if link in _PAST else -minutes
    end = j + 2 if word_at(items, j + 1) in {"o'clock", "oclock"} else j + 1
    yield _clock_of(items, i, end, (int(hour) * 60 + step) % (2 * _HALF_DAY), exact=hour > 12)


def _clock_of(
    items: Sequence[Item],
    start: int,
    end: int,
    minutes: int,
    *,
    exact: bool = False,
    bare: bool = False,
) -> Clock:
    """Return a time of day from minutes, and from words beside them such as "pm"."""
    if exact:
        end, _ = _half(items, end)
        return Clock(minutes % (2 * _HALF_DAY), exact=True, start=start, end=end, bare=bare)
    behind, half = _half(items, end)
    if half:
        return Clock(_half_of(minutes % _HALF_DAY, half), exact=True, start=start, end=behind)
    before = _half_before(items, start)
    if before:
        return Clock(_half_of(minutes % _HALF_DAY, before), exact=True, start=start, end=end)
    return Clock(minutes % (2 * _HALF_DAY), exact=False, start=start, end=end, bare=bare)


def _half_of(minutes: int, half: str) -> int:
    """Move minutes to the half of the day that is named "am", "pm" or "night"."""
    if half == "night":
        half = "pm" if minutes >= 300 else "am"
    return minutes % _HALF_DAY + (_HALF_DAY if half == "pm" else 0)


def _half(items: Sequence[Item], j: int) -> tuple[int, str]:
    """Return the index after words such as "pm" or "tonight" at item `j`, and the half of the day.

    The half is "am", "pm", "night", or "" if no such words are there.
    """
    word = word_at(items, j)
    if word == "o'clock":
        j, word = j + 1, word_at(items, j + 1)
    if word in {"am", "pm"}:
        return j + 1, word
    if word in {"a", "p"} and word_at(items, j + 1) == "." and word_at(items, j + 2) == "m":
        return j + (4 if word_at(items, j + 3) == "." else 3), f"{word}m"
    if word == "noon":
        return j + 1, "pm"
    k = j
    while k < j + 3 and word_at(items, k) in {"in", "the", "at", "this", "on", "of", "tomorrow"}:
        k += 1
    word = word_at(items, k)
    if word in {"day", "days"}:
        word = word_at(items, k + 1)
    # "Hotel for one night" is a duration, "eleven at night" a time.
    named = word if k > j or word == "tonight" else ""
    return (k + 1, _PARTS_OF_DAY[named]) if named in _PARTS_OF_DAY else (j, "")


def _half_before(items: Sequence[Item], start: int) -> str:
    """Return the half of the day named before a time: "evening 6:15", "tonight at seven"."""
    k = start - 1
    before_time = {"at", "around", "by", "about", ",", "for"}
    while k >= max(0, start - 3) and word_at(items, k) in before_time:
        k -= 1
    return _PARTS_OF_DAY.get(word_at(items, k), "") if word_at(items, k) != "noon" else ""
