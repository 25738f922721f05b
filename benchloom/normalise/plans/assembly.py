"""Build a PlanningPath from steps and edges, with its category, scales and identity."""

from collections.abc import Iterable, Sequence

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records.planning_path import (
    Category,
    Edge,
    Mode,
    PlanningPath,
    PlanSource,
    Step,
    StepArgument,
)
from benchloom.normalise.plans.call_graph import component_sizes

_ENCODER = msgspec.json.Encoder()
_RELEASE_SPLITS = {
    "train": "train",
    "dev": "validation",
    "validation": "validation",
    "test": "test",
    # API-Bank's levels are all there to evaluate on.
    "level-1": "test",
    "level-2": "test",
    "level-3": "test",
}


def category_of(apps: Sequence[str]) -> Category:
    """Return the category of a plan, from the app of each of its calls.

    SS is one call, SM several calls to one app, MS several calls each to another app, MM two or
    more apps with one repeated.
    """
    if not apps:
        return "none"
    if len(apps) == 1:
        return "SS"
    distinct = len(set(apps))
    if distinct == 1:
        return "SM"
    return "MS" if distinct == len(apps) else "MM"


def release_split(source_splits: Iterable[str]) -> str | None:
    """Return the release split of a plan, from the splits of its dialogues in their source.

    Held out first, so that no training row equals a test row and the test set loses no plan. None
    if the source names none of the three splits.
    """
    release_splits = {_RELEASE_SPLITS.get(split) for split in source_splits}
    return next(
        (split for split in ("test", "validation", "train") if split in release_splits), None
    )


def plan_digest(steps: Sequence[Step], tools: Sequence[str] = ()) -> str:
    """Return a plan's id: apps, APIs and arguments in order; without steps, the uncalled tools."""
    if not steps:
        return tagged_digest("plan", _ENCODER.encode(["no calls", sorted(tools)]))
    content = [
        (step.app, step.api, [_content(argument) for argument in step.arguments]) for step in steps
    ]
    return tagged_digest("plan", _ENCODER.encode(content))


def _content(argument: StepArgument) -> tuple[str | int | None, ...]:
    content = (argument.name, argument.output or argument.value, argument.from_step)
    return (*content, "json") if argument.is_json else content


def build_path(
    *,
    source: str,
    source_id: str,
    source_uri: str,
    split: str,
    reference_mode: Mode,
    steps: tuple[Step, ...],
    edges: tuple[Edge, ...],
    oddities: tuple[str, ...] = (),
    tools: tuple[str, ...] = (),
) -> PlanningPath:
    """Build a plan from its steps and edges; `split` is the source's name of the split."""
    count = len(steps)
    if edges:
        links = [(edge.from_step, edge.to_step) for edge in edges if 0 <= edge.from_step < count]
        sizes = component_sizes(count, links)
    else:
        sizes = (1,) * count
    return PlanningPath(
        path_id=plan_digest(steps, tools),
        source=source,
        dialogues=(PlanSource(source_id, source_uri, split),),
        split=release_split([split]),
        category=category_of([step.app for step in steps]),
        reference_mode=reference_mode,
        steps=steps,
        edges=edges,
        parallel_scale=len(sizes),
        sequential_scales=sizes,
        oddities=oddities,
        tools=tools,
    )
