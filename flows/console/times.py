"""Format progress, durations and remaining times."""

from benchloom.core.progress import UnderWay

_RELIABLE_AFTER = 2.0
"""Seconds after which the pace so far is reliable enough for a remaining time."""
_RELIABLE_SHARE = 200
"""One in this many units must be done before a remaining time is reliable."""


def format_duration(seconds: float) -> str:
    """Format a duration: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def format_count(activity: UnderWay) -> str:
    """Format an activity's count: `3 of 8 shards`, `12 pages`; empty if nothing is counted."""
    unit = f" {activity.unit}" if activity.unit else ""
    if activity.total is not None:
        return f"{activity.done} of {activity.total}{unit}"
    return f"{activity.done}{unit}" if activity.done else ""


def format_remaining(activity: UnderWay, now: float) -> str:
    """Format the remaining time at the average pace so far; empty if that is unreliable."""
    passed = now - activity.began
    if not activity.total or not 0 < activity.done < activity.total or passed < _RELIABLE_AFTER:
        return ""
    if activity.done * _RELIABLE_SHARE < activity.total:
        return ""
    return (
        f"about {format_duration(passed * (activity.total - activity.done) / activity.done)} left"
    )


def line_of(activity: UnderWay, now: float) -> str:
    """Describe an activity in one line."""
    if activity.detail is not None:
        return activity.detail()
    passed = format_duration(now - activity.began)
    phrases = [format_count(activity), passed, format_remaining(activity, now)]
    return f"{activity.name}: {', '.join(part for part in phrases if part)}"
