"""How far something is and how long it still takes, in words."""

from benchloom.under_way import UnderWay

_KNOWN_AFTER = 2.0
"""Seconds after which the pace of a thing says something about its rest."""
_KNOWN_OF = 200
"""Of so many things one has to be done for that."""


def seconds_told(seconds: float) -> str:
    """A span as people say it: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def counted_told(one: UnderWay) -> str:
    """How many are done: `3 of 8 shards`, `12 pages`, nothing where nothing is counted."""
    unit = f" {one.unit}" if one.unit else ""
    if one.total is not None:
        return f"{one.done} of {one.total}{unit}"
    return f"{one.done}{unit}" if one.done else ""


def left_told(one: UnderWay, now: float) -> str:
    """The time left as its pace until now has it, nothing where that says too little."""
    passed = now - one.began
    if not one.total or not 0 < one.done < one.total or passed < _KNOWN_AFTER:
        return ""
    if one.done * _KNOWN_OF < one.total:
        return ""
    return f"about {seconds_told(passed * (one.total - one.done) / one.done)} left"


def line_of(one: UnderWay, now: float) -> str:
    """What is under way, in a line."""
    if one.detail is not None:
        return one.detail()
    passed = seconds_told(now - one.began)
    told = [counted_told(one), passed, left_told(one, now)]
    return f"{one.name}: {', '.join(part for part in told if part)}"
