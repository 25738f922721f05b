"""Unrelated plans one after the other, with no reference across them."""

from collections.abc import Sequence

import msgspec

from benchloom.plans.assembly import build_path
from benchloom.records import Edge, PlanningPath, Step

FLAG = "concatenated"


def concatenate(paths: Sequence[PlanningPath]) -> PlanningPath:
    """One plan of several; ids and files are joined by `+`, split and mode are the first's."""
    first = paths[0]
    steps: list[Step] = []
    edges: list[Edge] = []
    for path in paths:
        offset = len(steps)
        steps += [_shifted(step, offset) for step in path.steps]
        edges += [
            Edge(e.from_step + offset, e.output, e.to_step + offset, e.argument, e.evidence)
            for e in path.edges
        ]
    flags = {flag for path in paths for flag in path.flags} | {FLAG}
    return build_path(
        source=first.source,
        source_id="+".join(path.source_id for path in paths),
        source_uri="+".join(dict.fromkeys(path.source_uri for path in paths)),
        split=first.split,
        mode=first.mode,
        steps=tuple(steps),
        edges=tuple(edges),
        flags=tuple(sorted(flags)),
    )


def _shifted(step: Step, offset: int) -> Step:
    arguments = tuple(
        argument
        if argument.from_step is None
        else msgspec.structs.replace(argument, from_step=argument.from_step + offset)
        for argument in step.arguments
    )
    return msgspec.structs.replace(step, index=step.index + offset, arguments=arguments)
