"""Build plans from steps and edges, with their ids and categories, and merge equal plans."""

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


def component_sizes(steps: int, links: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the sizes of the weakly connected components of a plan's graph, largest first.

    A link is a pair of a producing and a consuming step.
    """
    parent = list(range(steps))
    for start, end in links:
        first_root, other = _root(parent, start), _root(parent, end)
        parent[max(first_root, other)] = min(first_root, other)
    sizes = [0] * steps
    for step in range(steps):
        sizes[_root(parent, step)] += 1
    return tuple(sorted(filter(None, sizes), reverse=True))


def _root(parent: list[int], step: int) -> int:
    while parent[step] != step:
        step = parent[step]
    return step


_ENCODER = msgspec.json.Encoder()
_RELEASE_SPLITS = {
    "train": "train",
    "dev": "validation",
    "validation": "validation",
    "test": "test",
    # All levels of API-Bank are for evaluation.
    "level-1": "test",
    "level-2": "test",
    "level-3": "test",
}


def category_of(apps: Sequence[str]) -> Category:
    """Return the category of a plan, from the app of each of its calls.

    SS is a single call, SM are several calls to one app, MS are several calls to different apps,
    and MM are calls to several apps of which one is called repeatedly.
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
    """Return the split of a plan in a release, from the splits of its dialogues in their dataset.

    If there are several, test is chosen before validation, and validation before train, so that no
    training row equals a held-out row. None means that no dialogue is in one of the three splits.
    """
    release_splits = {_RELEASE_SPLITS.get(split) for split in source_splits}
    return next(
        (split for split in ("test", "validation", "train") if split in release_splits), None
    )


def plan_digest(steps: Sequence[Step], tools: Sequence[str] = ()) -> str:
    """Return the id of a plan, which is a digest of its apps, APIs and arguments.

    The id of a plan without steps is a digest of its tools.
    """
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
    """Build a plan from its steps and edges. `split` is the name of the split in the dataset."""
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


class PlanSources:
    """Collects the dialogues that have the same plan."""

    def __init__(self) -> None:
        self._dialogues: dict[str, list[PlanSource]] = {}

    def add(self, path_id: str, dialogues: Iterable[PlanSource]) -> None:
        """Add the dialogues of one row to those of its plan."""
        self._dialogues.setdefault(path_id, []).extend(dialogues)

    def split_of(self, path_id: str) -> str | None:
        """Return the split of a plan: test if a dialogue is in test, else validation, else train.

        It is None if the plan has no dialogues.
        """
        dialogues = self._dialogues.get(path_id)
        return release_split(dialogue.split for dialogue in dialogues) if dialogues else None

    def of(self, path_id: str) -> tuple[PlanSource, ...]:
        """Return the dialogues of a plan. Those that are in the plan's release split come first."""
        dialogues = self._dialogues[path_id]
        split = self.split_of(path_id)
        return tuple(
            sorted(
                dialogues,
                key=lambda dialogue: (
                    release_split([dialogue.split]) != split,
                    dialogue.source_uri,
                    dialogue.source_id,
                ),
            )
        )
