"""Limits for rules of policies, and rules that demand the user's confirmation."""

import datetime

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.wants import Policy

Limits = tuple[tuple[Plain, str], ...]
_CONFIRM = "I confirm"


def up_to_crowns(*crowns: int) -> Limits:
    """Return amounts in cents, each with its wording in crowns."""
    return tuple((100 * amount, f"{amount} crowns") for amount in crowns)


def hours(*spans: str) -> Limits:
    """Return spans of a day, each worded as `08:00-12:30`."""
    return tuple(([*span.split("-")], span.replace("-", " and ")) for span in spans)


def until_day(*days: str) -> Limits:
    """Return days (ISO 8601), worded with month and year."""
    dates = [datetime.date.fromisoformat(text) for text in days]
    return tuple((date.isoformat(), f"{date.day} {date:%B %Y}") for date in dates)


def confirmed(tool: str, deed: str) -> Policy:
    """Return the rule that the user must first confirm an action, such as `Delete an alarm`."""
    text = f'{deed} only after asking the user, who must answer with the words "{{limit}}".'
    return Policy(text, tool, "", "said", ((_CONFIRM, _CONFIRM),))
