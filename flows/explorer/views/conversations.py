"""Prepare a dialogue for its page, on which each turn is beside the calls that follow it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.plain_words import shortened
from benchloom.core.records import Dialogue
from flows.explorer.views.plans import CallView, PlanView
from flows.explorer.views.values import LONGEST

_MAX_RESULTS = 5


class ResultView(msgspec.Struct, frozen=True):
    """A call with its result, as displayed beside the turn that the call follows.

    If the plan does not contain the call, `call` is None; then `title` and `arguments` describe it.
    `more` counts rows of the result that are not shown.
    """

    call: CallView | None
    title: str
    arguments: str
    outcome: str
    rows: tuple[str, ...]
    more: int


class TurnView(msgspec.Struct, frozen=True):
    """One turn, with the calls that follow it."""

    number: int
    role: str
    text: str
    beside: tuple[ResultView, ...]


def turn_views(
    dialogue: Dialogue, plan: PlanView | None, results: Sequence[Mapping[str, Any]]
) -> tuple[TurnView, ...]:
    """Return the turns of a dialogue; `results` are its rows of `service_results`."""
    calls = {call.number - 1: call for call in plan.calls} if plan else {}
    recorded = {row["call"]: row for row in results}
    outputs = {result.call: result for result in dialogue.results}
    beside: dict[int, list[ResultView]] = {}
    for number in sorted({*calls, *recorded, *outputs}):
        row, call = recorded.get(number), calls.get(number)
        position = _position(dialogue, number, row, plan)
        if row is not None and call is not None and call.api != row["method"]:
            call = None  # the plan omits calls, so the recording numbers them differently
        rows = [element["values"] for element in row["rows"]] if row else []
        outcome = row["outcome"] if row else ""
        if (output := outputs.get(number)) is not None:
            rows.append(output.exception or output.output)
            outcome = "failed" if output.exception else outcome
        beside.setdefault(position, []).append(
            ResultView(
                call=call,
                title=f"{row['service']}.{row['method']}" if row else f"Call {number + 1}",
                arguments=shortened(row["arguments"], LONGEST) if row else "",
                outcome=outcome,
                rows=tuple(map(shortened, rows[:_MAX_RESULTS])),
                more=max(0, len(rows) - _MAX_RESULTS),
            )
        )
    return tuple(
        TurnView(turn.turn + 1, turn.role, turn.text, tuple(beside.get(index, ())))
        for index, turn in enumerate(dialogue.utterances)
    )


def _position(
    dialogue: Dialogue, number: int, row: Mapping[str, Any] | None, plan: PlanView | None
) -> int:
    """Return the index of the turn that a call follows.

    A recorded call has the number of its turn. Otherwise each turn may have the number of the call
    before which it was said. If it does not, the call follows the last turn that introduced one of
    its arguments, or the last turn of the dialogue if no such turn is known.
    """
    turns = dialogue.utterances
    if row is not None:
        before = [index for index, turn in enumerate(turns) if turn.turn <= row["turn"]]
        return before[-1] if before else 0
    if any(turn.before is not None for turn in turns):
        before = [i for i, turn in enumerate(turns) if (turn.before or 0) <= number]
        return before[-1] if before else 0
    steps = plan.row.steps if plan else ()
    origins = [
        argument.turn
        for step in steps
        if step.index == number
        for argument in step.arguments
        if argument.turn is not None
    ]
    before = [index for index, turn in enumerate(turns) if origins and turn.turn <= max(origins)]
    return before[-1] if before else len(turns) - 1
