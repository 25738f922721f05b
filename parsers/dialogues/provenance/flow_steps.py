"""Convert traced calls to the steps and edges of a plan.

Failed, retried and superseded calls are kept, unless the user drops their outcome (`--drop`).
"""

from collections.abc import Collection, Sequence

from benchloom.core.records import Edge, Step, StepArgument
from parsers.dialogues.provenance.calls import Outcome, flags_of, outcomes_of
from parsers.dialogues.provenance.producers import TracedCall
from parsers.errors import ParseError

Plan = tuple[tuple[Step, ...], tuple[Edge, ...], tuple[str, ...]]
"""The steps, the edges and the flags of a plan."""


def flow_steps(traced: Sequence[TracedCall], drop: Collection[Outcome]) -> Plan:
    """Return the steps and edges of a dialogue without the calls whose outcome is in `drop`.

    A value that a dropped call would have supplied (a counter-offer of a failed call) counts as
    said by the system, and becomes a literal of provenance `system`.
    """
    used = {
        origin.call
        for traced_call in traced
        for origin in traced_call.origins.values()
        if origin.call is not None
    }
    calls = [traced_call.call for traced_call in traced]
    outcomes = outcomes_of(calls, used)
    flags = flags_of(calls, outcomes)
    call_indices: Sequence[int] = range(len(calls))
    if drop and not set(outcomes).isdisjoint(drop):
        call_indices = [index for index in call_indices if outcomes[index] not in drop]
        flags = (*flags, f"dropped:{len(calls) - len(call_indices)}")
        if not call_indices:
            raise ParseError("all_dropped", f"all {len(calls)} calls were dropped")
    step_positions = {index: position for position, index in enumerate(call_indices)}
    edges: list[Edge] = []
    steps = tuple(
        _step(step_positions, position, traced[index], outcomes[index], edges)
        for position, index in enumerate(call_indices)
    )
    return steps, tuple(edges), tuple(sorted(flags))


def _step(
    step_positions: dict[int, int],
    position: int,
    traced: TracedCall,
    outcome: Outcome,
    edges: list[Edge],
) -> Step:
    api = traced.call.api
    arguments: list[StepArgument] = []
    for name, value in sorted(traced.call.arguments.items()):
        origin = traced.origins[name]
        output, turn = origin.output, origin.turn
        start = None if origin.call is None else step_positions.get(origin.call)
        if start is None or output is None:
            literal_source = "system" if origin.provenance == "result" else origin.provenance
            arguments.append(StepArgument(name, "literal", value, None, None, literal_source, turn))
        else:
            arguments.append(
                StepArgument(name, "reference", value, start, output, origin.provenance, turn)
            )
            edges.append(Edge(start, output, position, name, origin.evidence))
    return Step(
        position,
        api.service,
        api.intent.name,
        tuple(arguments),
        api.intent.result_slots,
        outcome,
        api.definition_id,
    )
