"""Concatenate unrelated plans: without references across them, or as AppBench did it."""

from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.records import Edge, PlanningPath, Step
from benchloom.normalise.plans.assembly import build_path
from benchloom.normalise.plans.name_rule import NamedCall, link_by_name

CONCATENATED = "concatenated"


def concatenate(paths: Sequence[PlanningPath]) -> PlanningPath:
    """Concatenate plans into one plan without references between them.

    Ids and files are joined by `+`; split and reference mode are those of the first plan.
    """
    steps: list[Step] = []
    edges: list[Edge] = []
    for path in paths:
        offset = len(steps)
        steps += [_shifted(step, offset) for step in path.steps]
        edges += [
            Edge(e.from_step + offset, e.output, e.to_step + offset, e.argument, e.evidence)
            for e in path.edges
        ]
    return _joined(paths, tuple(steps), tuple(edges))


def concatenate_by_name(
    paths: Sequence[PlanningPath], returns: Mapping[str, tuple[str, ...]]
) -> PlanningPath:
    """Concatenate plans into one name-mode plan, as AppBench made its MS records.

    The name rule runs over all calls, so an argument of one dialogue may refer to an output of
    another dialogue. `returns` contains the full outputs by `definition_id`, because a plan of
    one transaction shows only the output `success_flag`, which a longer plan does not show.
    """
    calls = [
        NamedCall(
            step.app,
            step.api,
            [(argument.name, argument.value) for argument in step.arguments],
            returns[step.definition_id],
            step.outcome,
            step.definition_id,
        )
        for path in paths
        for step in path.steps
    ]
    return _joined(paths, *link_by_name(calls))


def _joined(
    paths: Sequence[PlanningPath], steps: tuple[Step, ...], edges: tuple[Edge, ...]
) -> PlanningPath:
    first = paths[0]
    oddities = {oddity for path in paths for oddity in path.oddities} | {CONCATENATED}
    return build_path(
        source=first.source,
        source_id="+".join(path.source_id for path in paths),
        source_uri="+".join(dict.fromkeys(path.source_uri for path in paths)),
        split=first.source_split,
        reference_mode=first.reference_mode,
        steps=steps,
        edges=edges,
        oddities=tuple(sorted(oddities)),
    )


def _shifted(step: Step, offset: int) -> Step:
    arguments = tuple(
        argument
        if argument.from_step is None
        else msgspec.structs.replace(argument, from_step=argument.from_step + offset)
        for argument in step.arguments
    )
    return msgspec.structs.replace(step, index=step.index + offset, arguments=arguments)
