"""The interface of a benchmark: read gold, judge an output, list the metrics."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.evaluate.statistics.metrics import Metric
from benchloom.exchange.examples import Argument, Call, Example, Finding

Rules: TypeAlias = Literal["right", "published"]
RULES: tuple[Rules, ...] = ("right", "published")
RIGHT = "right"  # the outcome of a completely right sample
Expected: TypeAlias = Literal["gold", "lower", "zero", "any"]
"""The expected value of a metric for changed gold: that of gold, lower, zero, or any value."""
UNPARSEABLE = "unparseable"
"""The outcome of an output that cannot be read; every metric counts it as wrong."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a benchmark: the prediction to make, and the expected answer."""

    sample_id: str  # unique in the gold
    example: Example
    position: int | None = None  # index of the call to predict; None for all calls of the example
    level: str = ""  # like `category`, a group with its own figures
    category: str = ""
    aspect: str = ""  # `call` or `response`, in benchmarks that require both


class LeftOut(msgspec.Struct, frozen=True):
    """A gold record that cannot be read: its location, a stable reason, and a message."""

    record: str
    reason: str
    message: str


Report: TypeAlias = Callable[[LeftOut], None]
"""A function that is called with each gold record that is left out, in the order of gold."""


def unreported(left_out: LeftOut) -> None:
    """Ignore a gold record that was left out; `read_gold` calls this if no `report` is passed."""
    del left_out


class Judged(msgspec.Struct, frozen=True):
    """The judgement of an output; its counts are summed over samples."""

    outcome: str  # one of the benchmark's `outcomes`
    counts: Mapping[str, float]
    findings: tuple[Finding, ...] = ()  # faults with their locations


class Benchmark(ABC):
    """A published benchmark."""

    title: ClassVar[str]
    """Description of the task in one line."""
    outcomes: ClassVar[Mapping[str, str]]
    """Meanings of the outcomes; `right` and `unparseable` are among the outcomes."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Aspects that a file of predictions may leave out even if it is matched by order."""

    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = {}
    """Metrics expected by the rules `right`, for each mutation (`benchloom.evaluate.audit`).

    Mutations that do not change the meaning of gold need no entry. Metrics without an entry must
    have the value of gold.
    """

    @abstractmethod
    def metrics(self, rules: Rules) -> Sequence[Metric]:
        """Return the metrics, in the order in which result tables show them."""

    @abstractmethod
    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        """Yield the samples of published files or of a release, in the order of predictions.

        A damaged record is left out and passed to `report`.

        Raises RunError if there is no record of this benchmark, or all its records are damaged.
        """

    @abstractmethod
    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Judge an output, which has the structure of gold or is a model's text.

        Time and memory are limited even for hostile outputs; an unreadable output has the outcome
        `unparseable`.
        """

    def judge_unreadable(self, sample: Sample, rules: Rules) -> Judged:
        """Return the judgement of an answer that is too long or too deeply nested to be decoded."""
        return Judged(UNPARSEABLE, self.judge(sample, "", rules).counts)

    @abstractmethod
    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Return calls in the structure of gold, which `judge` accepts."""

    @abstractmethod
    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        """Return calls as text in the form that the published prompt requests."""

    def with_tools(self, tools: Path) -> AbstractContextManager["Benchmark"]:
        """Return this benchmark, which can run the tools of a folder or zip in the `with` block.

        Outside the block, metrics that need results of tools are left out.

        Raises RunError if this benchmark runs no tools, or `tools` contains none.
        """
        raise RunError(f"this benchmark runs no tools; leave out {tools}")

    def is_scored(self, sample: Sample, argument: Argument) -> bool:
        """Whether a metric depends on the value of this argument of a gold call."""
        return True

    def relabelled(self, sample: Sample, output: Plain) -> "Plain | msgspec.UnsetType":
        """Return the output with every call label renumbered, or UNSET if it has no labels."""
        return msgspec.UNSET
