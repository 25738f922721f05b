"""Test the calls of a plan against the rules of a policy."""

import datetime
from collections.abc import Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.worlds.answers.values.moments import WEEKDAYS
from benchloom.worlds.session import Session
from benchloom.worlds.task import PlannedCall, Rule

_TIME = 5  # length of HH:MM, the end of a moment


def broken_rules(
    rules: Sequence[Rule], calls: Sequence[PlannedCall], turns: Sequence[str], session: Session
) -> tuple[Rule, ...]:
    """Return the rules that the calls of a plan break, in the order of the rules.

    Each call is tested in the state that the calls before it have reached. All calls are rolled
    back at the end.
    """
    broken: list[Rule] = []
    with session.trial():
        for call in calls:
            broken += [
                rule
                for rule in rules
                if rule.tool == call.tool and not _holds(rule, call, turns, session)
            ]
            session.call(call.tool, call.arguments)
    return tuple(rule for rule in rules if rule in broken)


def check_policy(
    rules: Sequence[Rule],
    calls: Sequence[PlannedCall],
    forbidden: Sequence[PlannedCall],
    turns: Sequence[str],
    session: Session,
) -> None:
    """Check that the policy allows the plan, and forbids the request that must be declined.

    Raises:
        RejectedInputError: `forbidden` if the plan breaks a rule; `allowed` if no rule forbids
            the request that must be declined.
    """
    if broken := broken_rules(rules, calls, turns, session):
        raise RejectedInputError("forbidden", f"the plan breaks the rule: {broken[0].text}")
    if rules and forbidden and not broken_rules(rules, forbidden, turns, session):
        raise RejectedInputError(
            "allowed", "no rule of the policy forbids this request, so it need not be declined"
        )


def _holds(rule: Rule, call: PlannedCall, turns: Sequence[str], session: Session) -> bool:
    if rule.test == "said":
        return turn_of(rule, turns) < len(turns)
    value = call.arguments.get(rule.argument)
    if rule.column:
        table, _, column = rule.column.partition(".")
        row = session.row(table, msgspec.json.encode([value]).decode())
        value = None if row is None else row[column]
    return value is None or _passes(rule, value)


def turn_of(rule: Rule, turns: Sequence[str]) -> int:
    """Return the index of the first turn after the request that contains the value of a rule.

    Return `len(turns)` if no turn contains it.
    """
    words = str(rule.value).lower()
    hits = (number for number, turn in enumerate(turns) if number and words in turn.lower())
    return next(hits, len(turns))


def _passes(rule: Rule, value: Plain) -> bool:
    limits = rule.value if isinstance(rule.value, list) else [rule.value]
    if rule.test == "not_weekday":
        day = datetime.date.fromisoformat(str(value)[:10])
        return WEEKDAYS[day.weekday()].capitalize() not in limits
    if rule.test == "none_of":
        return value not in limits
    if rule.test == "between":
        low, high = map(str, limits)
        return low <= str(value)[-_TIME:] <= high
    if isinstance(value, str):
        before = value <= str(limits[0])
        return before if rule.test == "at_most" else value >= str(limits[0])
    number, limit = float(str(value)), float(str(limits[0]))
    return number <= limit if rule.test == "at_most" else number >= limit
