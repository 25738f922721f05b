"""Measure the overlap of two sets of plans: equal plans, equal structures, shared apps and APIs."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records import PlanningPath


class Leakage(msgspec.Struct, frozen=True, kw_only=True):
    """The overlap of the set of plans `of` with the set `within`. All counts are plans in `of`.

    `equal_structures` counts plans that have the same APIs, argument names and references as a plan
    in `within`, whatever the values. `known_apis` counts plans whose APIs all occur in `within`.
    """

    of: str
    within: str
    plans: int
    equal_plans: int
    equal_structures: int
    known_apis: int
    unseen_apps: tuple[str, ...]


def structure_of(path: PlanningPath) -> str:
    """Return the structure of a plan as text: its calls and references, without argument values."""
    parts = []
    for step in path.steps:
        names = ",".join(
            a.name if a.from_step is None else f"{a.name}<{a.from_step}.{a.output}"
            for a in step.arguments
        )
        parts.append(f"{step.app}.{step.api}({names})")
    return ";".join(parts)


def leakage(
    name: str, plans: Sequence[PlanningPath], within: str, reference_plans: Sequence[PlanningPath]
) -> Leakage:
    """Measure how many plans of the set `name` also occur in the set `within`."""
    ids = {path.path_id for path in reference_plans}
    structures = {structure_of(path) for path in reference_plans}
    apis = {(step.app, step.api) for path in reference_plans for step in path.steps}
    apps = {app for app, _ in apis}
    return Leakage(
        of=name,
        within=within,
        plans=len(plans),
        equal_plans=sum(path.path_id in ids for path in plans),
        equal_structures=sum(structure_of(path) in structures for path in plans),
        known_apis=sum(all((s.app, s.api) in apis for s in path.steps) for path in plans),
        unseen_apps=tuple(sorted({s.app for path in plans for s in path.steps} - apps)),
    )
