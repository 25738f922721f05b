"""Limits for the rules of policies, and rules that demand the user's confirmation."""

import datetime

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.wants import Policy

Limits = tuple[tuple[Plain, str], ...]
_CONFIRM = "I confirm"


def up_to_crowns(*crowns: int) -> Limits:
    """Return limits in cents for amounts in crowns, each with its wording, such as `50 crowns`."""
    return tuple((100 * amount, f"{amount} crowns") for amount in crowns)


def hours(*spans: str) -> Limits:
    """Return limits for times of the day; the span `08:00-12:30` is worded as `08:00 and 12:30`."""
    return tuple(([*span.split("-")], span.replace("-", " and ")) for span in spans)


def until_day(*days: str) -> Limits:
    """Return limits for days; the day `2027-03-15` is worded as `15 March 2027`."""
    dates = [datetime.date.fromisoformat(text) for text in days]
    return tuple((date.isoformat(), f"{date.day} {date:%B %Y}") for date in dates)


def confirmed(tool: str, deed: str) -> Policy:
    """Return the rule that a user must confirm the action `deed` before an agent calls `tool`."""
    text = f'{deed} only after asking the user, who must answer with the words "{{limit}}".'
    return Policy(text, tool, "", "said", ((_CONFIRM, _CONFIRM),))
