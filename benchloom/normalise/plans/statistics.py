"""Compute the statistics table of AppBench: counts, averages and maxima of plans per category."""

from collections.abc import Iterable

import msgspec

from benchloom.core.plain_words import ABSENT
from benchloom.core.records import PlanningPath

ALL = "all"
CATEGORIES = ("SS", "SM", "MS", "MM", "none", ALL)
_FIGURES = ("apps", "calls", "arguments", "references", "parallel", "sequential")
"""For each of these figures of a plan, a row contains the average and the maximum."""


class PathFacts(msgspec.Struct, frozen=True, array_like=True):
    """The measurements of one plan for the statistics table.

    `apps` and `apis` have one entry per call.
    """

    split: str
    category: str
    apps: tuple[str, ...]
    apis: tuple[str, ...]
    arguments: int
    references: int
    parallel: int
    sequential: int


class StatisticsRow(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of the plans of one category in one split; `all` means all of them.

    `apps` and `apis` are the numbers of distinct apps and distinct APIs. `parallel` is the number
    of weakly connected components of a plan, and `sequential` is the size of the largest.
    """

    split: str
    category: str
    samples: int
    apps: int
    apis: int
    average_apps: float
    maximum_apps: int
    average_calls: float
    maximum_calls: int
    average_arguments: float
    maximum_arguments: int
    average_references: float
    maximum_references: int
    average_parallel: float
    maximum_parallel: int
    average_sequential: float
    maximum_sequential: int


def facts_of(path: PlanningPath, split: str | None = None) -> PathFacts:
    """Measure a plan for the statistics table. If given, `split` replaces the plan's own split."""
    return PathFacts(
        split or path.split or ABSENT,
        path.category,
        tuple([step.app for step in path.steps]),
        tuple([f"{step.app}.{step.api}" for step in path.steps]),
        sum([len(step.arguments) for step in path.steps]),
        len(path.edges),
        path.parallel_scale,
        max(path.sequential_scales, default=0),
    )


class _Counts:
    def __init__(self) -> None:
        self.samples = 0
        self.apps: set[str] = set()
        self.apis: set[str] = set()
        self.sums = [0] * len(_FIGURES)
        self.most = [0] * len(_FIGURES)

    def add(self, facts: PathFacts) -> None:
        self.samples += 1
        self.apps.update(facts.apps)
        self.apis.update(facts.apis)
        figures = (
            len(set(facts.apps)),
            len(facts.apis),
            facts.arguments,
            facts.references,
            facts.parallel,
            facts.sequential,
        )
        for index, figure in enumerate(figures):
            self.sums[index] += figure
            self.most[index] = max(self.most[index], figure)

    def merge(self, other: "_Counts") -> None:
        self.samples += other.samples
        self.apps |= other.apps
        self.apis |= other.apis
        self.sums = [
            own_sum + other_sum for own_sum, other_sum in zip(self.sums, other.sums, strict=True)
        ]
        self.most = [max(pair) for pair in zip(self.most, other.most, strict=True)]

    def row(self, split: str, category: str) -> StatisticsRow:
        values: dict[str, object] = {"split": split, "category": category, "samples": self.samples}
        values |= {"apps": len(self.apps), "apis": len(self.apis)}
        for name, total, most in zip(_FIGURES, self.sums, self.most, strict=True):
            values[f"average_{name}"] = round(total / self.samples, 2)
            values[f"maximum_{name}"] = most
        return msgspec.convert(values, StatisticsRow)


def statistics(facts: Iterable[PathFacts]) -> list[StatisticsRow]:
    """Return a row for each split and category that has plans.

    Rows for all splits together come first.
    """
    single: dict[tuple[str, str], _Counts] = {}
    for plan_facts in facts:
        single.setdefault((plan_facts.split, plan_facts.category), _Counts()).add(plan_facts)
    counts: dict[tuple[str, str], _Counts] = {}
    for (own_split, own_category), figures in single.items():
        for split in (ALL, own_split):
            for category in (own_category, ALL):
                counts.setdefault((split, category), _Counts()).merge(figures)
    splits = sorted({split for split, _ in counts}, key=lambda name: (name != ALL, name))
    return [
        counts[split, category].row(split, category)
        for split in splits
        for category in CATEGORIES
        if (split, category) in counts
    ]


def markdown_table(rows: Iterable[StatisticsRow]) -> str:
    """Format statistics as a Markdown table with averages and maxima."""
    heads = ["split", "category", "samples", "apps", "APIs", "apps / plan", "calls / plan"]
    heads += ["arguments / plan", "references / plan", "parallel scale", "sequential scale"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        cells = [
            f"{getattr(row, f'average_{name}'):.2f} (max {getattr(row, f'maximum_{name}')})"
            for name in _FIGURES
        ]
        counts = [row.split, row.category, str(row.samples), str(row.apps), str(row.apis)]
        lines.append(f"| {' | '.join(counts + cells)} |")
    return "\n".join(lines) + "\n"
