"""AppBench's published rule for references: link equal names and never compare values."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from benchloom.core.records.planning_path import Edge, Step, StepArgument


class NamedCall(NamedTuple):
    """A call before references are decided: arguments sorted by name, outputs in order."""

    app: str
    api: str
    arguments: Sequence[tuple[str, str]]
    returns: tuple[str, ...]
    outcome: Literal["ok", "failed", "retried", "superseded"]
    definition_id: str


def link_by_name(calls: Sequence[NamedCall]) -> tuple[tuple[Step, ...], tuple[Edge, ...]]:
    """Link calls into steps and edges by name.

    An argument refers to the latest earlier call that returns an output of its name.
    """
    steps: list[Step] = []
    edges: list[Edge] = []
    latest: dict[str, int] = {}
    for index, call in enumerate(calls):
        arguments: list[StepArgument] = []
        for name, value in call.arguments:
            producer = latest.get(name)
            if producer is None:
                arguments.append(StepArgument(name, "literal", value))
            else:
                arguments.append(StepArgument(name, "reference", value, producer, name))
                edges.append(Edge(producer, name, index, name, "name"))
        steps.append(
            Step(
                index,
                call.app,
                call.api,
                tuple(arguments),
                call.returns,
                call.outcome,
                call.definition_id,
            )
        )
        latest.update(dict.fromkeys(call.returns, index))
    return tuple(steps), tuple(edges)
