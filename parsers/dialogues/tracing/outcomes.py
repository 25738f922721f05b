"""The outcome of each call: ok, failed, retried or superseded."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Literal

from parsers.dialogues.tracing.calls import Call

Outcome = Literal["ok", "failed", "retried", "superseded"]


def outcomes_of(calls: Sequence[Call], used: Collection[int]) -> list[Outcome]:
    """Return the outcome of each call; `used` contains calls whose results a later call takes.

    A failed call is retried when its API is called again later. A search whose result no call
    takes is superseded when the very next call uses the same API again. A transaction is never
    superseded, because it took effect.
    """
    outcomes: list[Outcome] = []
    following: str | None = None
    later: set[str] = set()
    for index in range(len(calls) - 1, -1, -1):
        call = calls[index]
        name = call.api.definition
        if call.failed:
            outcomes.append("retried" if name in later else "failed")
        elif following == name and not call.api.intent.is_transactional and index not in used:
            outcomes.append("superseded")
        else:
            outcomes.append("ok")
        following = name
        later.add(name)
    outcomes.reverse()
    return outcomes


def flags_of(calls: Sequence[Call], outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Return the oddities in the calls of a plan, sorted; empty for most plans."""
    flags = {f"{outcome}_call" for outcome in outcomes if outcome != "ok"}
    if len({call.api.definition for call in calls}) < len(calls):
        seen = Counter((c.api.definition, *sorted(c.arguments.items())) for c in calls)
        if len(seen) < len(calls):
            flags.add("identical_calls")
    return tuple(sorted(flags))
