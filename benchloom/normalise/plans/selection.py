"""Select plans for test and training sets. The same seed and plans give the same sets."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Edge, PlanningPath, Step
from benchloom.core.records.planning_path import Category
from benchloom.normalise.plans.assembly import build_path

CONCATENATED = "concatenated"

CATEGORIES: tuple[Category, ...] = ("SS", "SM", "MS", "MM")


class SetRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for a set to select: its name, source split, and number of plans per category."""

    name: str
    split: str
    per_category: int


class Concatenation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Adds plans of category MS to a set; each joins plans that have one call and different apps.

    Each has `shortest` to `longest` calls.
    """

    shortest: int = 2
    longest: int = 4


class SelectionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plans may be selected, and how many. An empty `apps` allows all apps.

    `excluded_services` are spelt as in the dataset. With `disjoint`, a plan is in one set only.
    """

    seed: int = 0
    sets: tuple[SetRules, ...] = (SetRules("test", "test", 200), SetRules("train", "train", 1000))
    minimum_arguments: int = 0
    apps: tuple[str, ...] = ()
    excluded_services: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ("ok", "failed", "retried", "superseded")
    disjoint: bool = True
    concatenation: Concatenation | None = None


class Chosen(msgspec.Struct, frozen=True):
    """A selected set of plans, sorted by file and dialogue.

    `left_out` maps a reason to the number of plans that were not selected.
    """

    rules: SetRules
    paths: list[PlanningPath]
    left_out: dict[str, int]


def objection(
    path: PlanningPath, rules: SelectionRules, excluded: Collection[str] = frozenset()
) -> str | None:
    """Return why the rules exclude a plan, or None. `excluded` are ids of excluded definitions."""
    for step in path.steps:
        if len(step.arguments) < rules.minimum_arguments:
            return "too_few_arguments"
        if rules.apps and step.app not in rules.apps:
            return "other_app"
        if step.definition_id in excluded:
            return "excluded_service"
        if step.outcome not in rules.outcomes:
            return "outcome"
    return None


def choose(
    paths: Iterable[PlanningPath], rules: SelectionRules, excluded: Collection[str] = frozenset()
) -> list[Chosen]:
    """Select the sets of plans that the rules define, in the order of the rules.

    The plans may have any order. `excluded` are the ids of the definitions of `excluded_services`.
    Ids are compared instead of names, because not all plans contain the names of services.
    """
    of_split: dict[str, list[PlanningPath]] = {set_rules.split: [] for set_rules in rules.sets}
    for path in paths:
        if path.source_split in of_split:
            of_split[path.source_split].append(path)
    selected_ids: set[str] = set()
    chosen = []
    for set_rules in rules.sets:
        selection = _choose_set(
            of_split[set_rules.split], set_rules, rules, frozenset(selected_ids), excluded
        )
        chosen.append(selection)
        if rules.disjoint:
            selected_ids.update(path.path_id for path in selection.paths)
    return chosen


def _choose_set(
    paths: Sequence[PlanningPath],
    set_rules: SetRules,
    rules: SelectionRules,
    selected_ids: frozenset[str],
    excluded: Collection[str],
) -> Chosen:
    left_out: Counter[str] = Counter()
    eligible: dict[str, PlanningPath] = {}
    for path in sorted(paths, key=lambda p: (p.source_uri, p.source_id)):
        reason = objection(path, rules, excluded)
        if reason is None and path.path_id in selected_ids:
            reason = "in_earlier_set"
        if reason is None and (earlier_plan := eligible.get(path.path_id)) is not None:
            reason = "repeated_plan"
            dialogues = (*earlier_plan.dialogues, *path.dialogues)
            eligible[path.path_id] = msgspec.structs.replace(earlier_plan, dialogues=dialogues)
        if reason is None:
            eligible[path.path_id] = path
        else:
            left_out[reason] += 1
    shuffled = sorted(
        eligible.values(), key=lambda path: _draw(rules.seed, set_rules.name, path.path_id)
    )
    selection: list[PlanningPath] = []
    for category in CATEGORIES:
        members = [path for path in shuffled if path.category == category]
        selection += members[: set_rules.per_category]
        left_out["not_drawn"] += max(0, len(members) - set_rules.per_category)
        if category == "MS" and rules.concatenation is not None:
            missing = set_rules.per_category - len(members)
            singles = [path for path in shuffled if path.category == "SS"]
            selection += _concatenations(singles, missing, rules, set_rules.name)
    selection.sort(key=lambda path: (path.source_uri, path.source_id))
    # The plus sign removes reasons that count zero.
    return Chosen(set_rules, selection, dict(sorted((+left_out).items())))


def _draw(seed: int, *parts: str) -> str:
    return digest_of_parts("draw", (str(seed), *parts))


def _concatenations(
    singles: Sequence[PlanningPath], count: int, rules: SelectionRules, name: str
) -> list[PlanningPath]:
    limits = rules.concatenation or Concatenation()
    rest = list(singles)
    plans: list[PlanningPath] = []
    while len(plans) < count and rest:
        first = rest.pop(0)
        spread = limits.longest - limits.shortest + 1
        draw = _draw(rules.seed, name, "length", first.path_id)
        length = limits.shortest + int(draw[-8:], 16) % spread
        group = [first]
        for path in list(rest):
            if len(group) == length:
                break
            if all(path.steps[0].app != other.steps[0].app for other in group):
                group.append(path)
                rest.remove(path)
        if len(group) >= limits.shortest:
            plans.append(concatenate(group))
    return plans


def concatenate(paths: Sequence[PlanningPath]) -> PlanningPath:
    """Join plans to one plan. It has no references from one of the joined plans to another.

    Ids and files are joined by `+`; split and reference mode are those of the first plan.
    """
    steps: list[Step] = []
    edges: list[Edge] = []
    for path in paths:
        offset = len(steps)
        steps += [_shift(step, offset) for step in path.steps]
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


def _shift(step: Step, offset: int) -> Step:
    arguments = tuple(
        argument
        if argument.from_step is None
        else msgspec.structs.replace(argument, from_step=argument.from_step + offset)
        for argument in step.arguments
    )
    return msgspec.structs.replace(step, index=step.index + offset, arguments=arguments)
