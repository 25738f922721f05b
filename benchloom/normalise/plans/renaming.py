"""Rename the apps, APIs and slots (parameters and outputs) of a plan. Its graph is unchanged."""

from collections.abc import Mapping

import msgspec

from benchloom.core.records import Edge, PlanningPath, Step
from benchloom.core.records.planning_path import StepArgument
from benchloom.normalise.plans.assembly import build_path


class ApiNames(msgspec.Struct, frozen=True):
    """The new names of an API. `slots` maps the old to the new names of parameters and outputs."""

    app: str
    api: str
    definition_id: str
    slots: dict[str, str]


def rename_path(path: PlanningPath, names: Mapping[str, ApiNames]) -> PlanningPath:
    """Return a plan with renamed APIs. `names` maps each `definition_id` to the new names.

    Arguments are sorted by their new names.
    """
    of_step = [names[step.definition_id] for step in path.steps]
    steps = tuple(
        _rename_step(step, of_step[step.index], [api_names.slots for api_names in of_step])
        for step in path.steps
    )
    edges = [
        Edge(
            edge.from_step,
            of_step[edge.from_step].slots[edge.output],
            edge.to_step,
            of_step[edge.to_step].slots[edge.argument],
            edge.evidence,
        )
        for edge in path.edges
    ]
    return build_path(
        source=path.source,
        source_id=path.source_id,
        source_uri=path.source_uri,
        split=path.source_split,
        reference_mode=path.reference_mode,
        steps=steps,
        edges=tuple(sorted(edges, key=lambda edge: (edge.to_step, edge.argument))),
        oddities=path.oddities,
    )


def _rename_step(step: Step, names: ApiNames, slots_of: list[dict[str, str]]) -> Step:
    arguments = [
        _rename_argument(step_argument, names.slots, slots_of) for step_argument in step.arguments
    ]
    return Step(
        step.index,
        names.app,
        names.api,
        tuple(sorted(arguments, key=lambda argument: argument.name)),
        tuple(names.slots[output] for output in step.returns),
        step.outcome,
        names.definition_id,
    )


def _rename_argument(
    argument: StepArgument, slots: dict[str, str], slots_of: list[dict[str, str]]
) -> StepArgument:
    output = argument.output
    if argument.from_step is not None and output is not None:
        output = slots_of[argument.from_step][output]
    return msgspec.structs.replace(argument, name=slots[argument.name], output=output)
