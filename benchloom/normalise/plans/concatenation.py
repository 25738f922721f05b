"""Concatenate unrelated plans, without references across them."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records import Edge, PlanningPath, Step
from benchloom.normalise.plans.assembly import build_path

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
    first = paths[0]
    oddities = {oddity for path in paths for oddity in path.oddities} | {CONCATENATED}
    return build_path(
        source=first.source,
        source_id="+".join(path.source_id for path in paths),
        source_uri="+".join(dict.fromkeys(path.source_uri for path in paths)),
        split=first.source_split,
        reference_mode=first.reference_mode,
        steps=tuple(steps),
        edges=tuple(edges),
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
