"""Read dates from English text, and format them in the styles and patterns of the app."""

import re
from datetime import datetime, timedelta

from benchloom.device.errors import ActionError, LimitError

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DATE_PATTERNS = {
    "None": "",
    "Short": "M/d/yy",
    "Medium": "MMM d, y",
    "Long": "MMMM d, y",
    "Full": "EEEE, MMMM d, y",
}
TIME_PATTERNS = {
    "None": "",
    "Short": "h:mm a",
    "Medium": "h:mm:ss a",
    "Long": "h:mm:ss a z",
    "Full": "h:mm:ss a zzzz",
}
RFC_2822 = "EEE, dd MMM yyyy HH:mm:ss Z"
_MAX_PATTERN = 2_000
_FIELD = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|.", re.DOTALL)
_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?"
    r"\s?(Z|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)
_MONTH_WORD = "|".join(name[:3] for name in _MONTHS)
_NAMED = re.compile(
    rf"\b(?P<month>{_MONTH_WORD})[a-z]*\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?:,? (?P<year>\d{4}))?\b",
    re.IGNORECASE | re.ASCII,
)
_DAY_FIRST = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? (?P<month>{_MONTH_WORD})[a-z]*\.?,?"
    r"(?: (?P<year>\d{4}))?\b",
    re.IGNORECASE | re.ASCII,
)
_SLASHES = re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d{2})\b", re.ASCII)
_WORD = re.compile(rf"\b(today|tomorrow|yesterday|now|{'|'.join(_DAYS)})\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?(am|pm)\b)?|\b(\d{1,2})\s?(am|pm)\b",
    re.IGNORECASE | re.ASCII,
)
_NOON = 12


def read_dates(text: str, now: datetime) -> list[datetime]:
    """Return the dates in a text, in order; a date without a time gets the time 12:00.

    The formats are ISO 8601, dates with English names of months or days, M/D/Y, and times alone.
    """
    text = text[:10_000]
    dates: list[tuple[int, datetime]] = []
    covered: list[tuple[int, int]] = []
    for pattern in (_ISO, _NAMED, _DAY_FIRST, _SLASHES, _WORD):
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in covered):
                continue
            try:
                moment = _moment(pattern, match, now)
            except ValueError:
                continue
            end = match.end()
            if pattern is not _ISO or match[4] is None:
                time = _TIME.match(text[end : end + 24].lstrip(" ,at"))
                if time and "now" not in match[0].lower():
                    end = text.index(time[0], end) + len(time[0])
                    moment = _with_time(moment, time)
            covered.append((match.start(), end))
            dates.append((match.start(), moment))
    dates += (
        (match.start(), _with_time(now, match))
        for match in _TIME.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in covered)
    )
    return [moment for _, moment in sorted(dates)]


def _moment(pattern: re.Pattern[str], match: re.Match[str], now: datetime) -> datetime:
    noon = now.replace(hour=_NOON, minute=0, second=0, microsecond=0)
    if pattern is _ISO:
        year, month, day = (int(part) for part in match.groups()[:3])
        moment = noon.replace(year=year, month=month, day=day)
        if match[4] is None:
            return moment
        moment = moment.replace(hour=int(match[4]), minute=int(match[5]), second=int(match[6] or 0))
        if match[7]:
            zone = "+00:00" if match[7] == "Z" else match[7]
            fixed = datetime.fromisoformat(f"{moment:%Y-%m-%dT%H:%M:%S}{zone}")
            return fixed.astimezone(now.tzinfo)
        return moment
    if pattern is not _WORD:
        year = int(match["year"] or now.year)
        if pattern is _SLASHES and year < 100:
            year += 2000
        return noon.replace(year=year, month=_month(match["month"]), day=int(match["day"]))
    word = match[1].lower()
    if word == "now":
        return now
    days = {"today": 0, "tomorrow": 1, "yesterday": -1}.get(word)
    if days is None:
        days = (_DAYS.index(word.capitalize()) - now.weekday()) % 7
    return noon + timedelta(days=days)


def _month(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return [name[:3].lower() for name in _MONTHS].index(word[:3].lower()) + 1


def _with_time(moment: datetime, match: re.Match[str]) -> datetime:
    hour = int(match[1] or match[5])
    half = (match[4] or match[6] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    try:
        return moment.replace(
            hour=hour, minute=int(match[2] or 0), second=int(match[3] or 0), microsecond=0
        )
    except ValueError:
        return moment


def write_date(
    moment: datetime,
    date_style: str = "Medium",
    time_style: str = "Short",
    pattern: str = "",
    *,
    iso_time: bool = False,
    now: datetime | None = None,
) -> str:
    """Format a date in a style of the app, or by a pattern of Unicode's date fields.

    `pattern` is used with the style Custom, and `now` with the relative styles.
    """
    if date_style == "Custom":
        return by_pattern(moment, pattern or RFC_2822)
    if date_style == "ISO 8601":
        return by_pattern(moment, "yyyy-MM-dd'T'HH:mm:ssXXXXX" if iso_time else "yyyy-MM-dd")
    if date_style == "RFC 2822":
        return by_pattern(moment, RFC_2822)
    time_text = by_pattern(moment, TIME_PATTERNS.get(time_style, TIME_PATTERNS["Short"]))
    if date_style == "How Long Ago/Until":
        return _how_long(moment, now or moment)
    if date_style == "Relative":
        date_text = _relative(moment, now or moment)
    else:
        date_text = by_pattern(moment, DATE_PATTERNS.get(date_style, DATE_PATTERNS["Medium"]))
    joint = " at " if date_style in ("Long", "Full", "Relative") else ", "
    return joint.join(part for part in (date_text, time_text) if part)


def _relative(moment: datetime, now: datetime) -> str:
    days = (moment.date() - now.date()).days
    day_words = {0: "Today", 1: "Tomorrow", -1: "Yesterday"}
    return day_words.get(days, by_pattern(moment, DATE_PATTERNS["Medium"]))


_SPANS = (
    *(("year", 31_536_000), ("month", 2_592_000), ("week", 604_800), ("day", 86_400)),
    *(("hour", 3_600), ("minute", 60), ("second", 1)),
)


def _how_long(moment: datetime, now: datetime) -> str:
    """Return the time between two dates in the largest unit: `43 minutes ago`, `3 months ago`."""
    seconds = int((moment - now).total_seconds())
    for unit, size in _SPANS:
        count = abs(seconds) // size
        if count:
            span = f"{count} {unit}{'s' if count > 1 else ''}"
            return f"{span} from now" if seconds > 0 else f"{span} ago"
    return "now"


def by_pattern(moment: datetime, pattern: str) -> str:
    """Format a date by a pattern like `yyyy-MM-dd HH:mm`; text in quotes is copied.

    Raises:
        LimitError: the pattern is too long.
    """
    if len(pattern) > _MAX_PATTERN:
        raise LimitError(f"a date format has more than {_MAX_PATTERN} characters")

    def written(match: re.Match[str]) -> str:
        if match[1] is not None:
            return match[1].replace("''", "'") or "'"
        return _field(moment, match[2], len(match[0])) if match[2] else match[0]

    return _FIELD.sub(written, pattern)


def _field(moment: datetime, letter: str, count: int) -> str:
    numbers = {
        "d": moment.day,
        "D": moment.timetuple().tm_yday,
        "H": moment.hour,
        "h": moment.hour % 12 or 12,
        "k": moment.hour or 24,
        "K": moment.hour % 12,
        "m": moment.minute,
        "s": moment.second,
        "w": moment.isocalendar()[1],
        "Q": (moment.month + 2) // 3,
        "q": (moment.month + 2) // 3,
        "F": (moment.day + 6) // 7,
        "W": (moment.day + moment.replace(day=1).isoweekday() % 7 + 6) // 7,
    }
    if letter in numbers:
        return f"{numbers[letter]:0{count}d}"
    if letter in "yYu":
        year = moment.isocalendar()[0] if letter == "Y" else moment.year
        return f"{year % 100:02d}" if count == 2 else f"{year:0{count}d}"
    if letter in "ML":
        if count <= 2:
            return f"{moment.month:0{count}d}"
        return _named(_MONTHS[moment.month - 1], count)
    if letter in "Ece":
        if letter != "E" and count <= 2:
            return str(moment.isoweekday() % 7 + 1)
        return _named(_DAYS[moment.weekday()], count)
    if letter == "a":
        return "AM" if moment.hour < _NOON else "PM"
    if letter == "S":
        return f"{moment.microsecond:06d}".ljust(count, "0")[:count]
    if letter == "G":
        return "AD"
    if letter in "zZXxvVO":
        return _zone(moment, letter, count)
    if letter == "A":
        return str(((moment.hour * 60 + moment.minute) * 60 + moment.second) * 1000)
    return letter * count


def _named(name: str, count: int) -> str:
    return {4: name, 5: name[0], 6: name[:2]}.get(count, name[:3])


def _zone(moment: datetime, letter: str, count: int) -> str:
    offset = moment.utcoffset() or timedelta()
    minutes = int(offset.total_seconds()) // 60
    sign, size = ("-" if minutes < 0 else "+"), abs(minutes)
    digits = f"{sign}{size // 60:02d}{size % 60:02d}"
    with_colon = f"{digits[:3]}:{digits[3:]}"
    if letter == "X" and not minutes:
        return "Z"
    if letter in "Xx":
        if count == 1 and digits.endswith("00"):
            return digits[:3]
        return with_colon if count in (3, 5) else digits
    if letter == "Z" and count != 4:
        return digits if count != 5 else with_colon if minutes else "Z"
    if not minutes:
        return "GMT"
    if count == 4:
        return f"GMT{with_colon}"
    return f"GMT{sign}{size // 60}" + (f":{size % 60:02d}" if size % 60 else "")


_UNIT_DAYS = {"day": 1, "week": 7}
_UNIT_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hr": 3600, "hour": 3600}


def moved(moment: datetime, amount: float, unit: str) -> datetime:
    """Add an amount of a unit to a date; a day after the end of a month becomes the last day.

    Raises:
        ActionError: the unit is unknown, or the date is out of range.
    """
    word = unit.strip().lower().removesuffix("s")
    try:
        if word in _UNIT_SECONDS:
            return moment + timedelta(seconds=amount * _UNIT_SECONDS[word])
        if word in _UNIT_DAYS:
            return moment + timedelta(days=amount * _UNIT_DAYS[word])
        months = {"month": 1, "mo": 1, "mth": 1, "quarter": 3, "year": 12, "yr": 12}[word]
        month_number = moment.year * 12 + moment.month - 1 + int(amount * months)
        year, month = divmod(month_number, 12)
        for day in range(moment.day, 27, -1):
            try:
                return moment.replace(year=year, month=month + 1, day=day)
            except ValueError:
                continue
        return moment.replace(year=year, month=month + 1)
    except KeyError as error:
        raise ActionError(f"unknown unit of time '{unit}'") from error
    except (OverflowError, ValueError) as error:
        raise ActionError(f"the date {amount} {unit} from {moment} is out of range") from error
