"""The interface of a benchmark, which reads gold, judges outputs and lists its metrics."""

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
"""The value of a metric that an audit expects of changed gold: gold's value, lower, 0, or any."""
UNPARSEABLE = "unparseable"
"""The outcome of an output that cannot be read. Every metric counts this output as wrong."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a benchmark, with the example that contains the expected calls or response."""

    sample_id: str  # unique in the gold
    example: Example
    position: int | None = None  # index of the call to predict; None for all calls of the example
    level: str = ""  # like `category`, a group with its own figures
    category: str = ""
    aspect: str = ""  # `call` or `response`, in benchmarks that require both


class LeftOut(msgspec.Struct, frozen=True):
    """A gold record that cannot be read, with its location, a stable reason and a message."""

    record: str
    reason: str
    message: str


Report: TypeAlias = Callable[[LeftOut], None]
"""A function that is called with each unreadable gold record, in the order of gold."""


def unreported(left_out: LeftOut) -> None:
    """Ignore an unreadable gold record; this is the default of `read_gold` for `report`."""
    del left_out


class Judged(msgspec.Struct, frozen=True):
    """The judgement of an output: its outcome, its faults, and counts to be summed over samples."""

    outcome: str  # one of the benchmark's `outcomes`
    counts: Mapping[str, float]
    findings: tuple[Finding, ...] = ()  # faults with their locations


class Benchmark(ABC):
    """A published benchmark: it reads gold samples, judges outputs, and defines the metrics."""

    title: ClassVar[str]
    """A description of the benchmark's task in one line."""
    outcomes: ClassVar[Mapping[str, str]]
    """The meaning of each outcome of a sample; `right` and `unparseable` are always included."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """The aspects of samples for which a file of predictions needs no lines.

    This also holds for a file whose lines are matched with samples by order instead of by id.
    """

    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = {}
    """For each mutation of an audit, the metrics that it must change under the rule set `right`.

    A mutation is a way to change gold outputs (see `benchloom.evaluate.audit`). Mutations that
    keep the meaning of gold need no entry. Metrics without an entry must have the value of gold.
    """

    @abstractmethod
    def metrics(self, rules: Rules) -> Sequence[Metric]:
        """Return the metrics, in the order in which result tables show them."""

    @abstractmethod
    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        """Yield the samples in published files or in a release, in a stable order.

        Predictions without ids are matched with the samples in this order. A damaged record is left
        out and passed to `report`.

        Raises RunError if there is no record of this benchmark, or all its records are damaged.
        """

    @abstractmethod
    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Judge an output, which has the structure of gold or is the text of a model.

        Time and memory are limited even for hostile outputs. An unreadable output has the outcome
        `unparseable`.
        """

    def judge_unreadable(self, sample: Sample, rules: Rules) -> Judged:
        """Return the judgement of a prediction that is too long or too deeply nested to decode."""
        return Judged(UNPARSEABLE, self.judge(sample, "", rules).counts)

    @abstractmethod
    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Write calls in the structure of the gold, which `judge` accepts as an output."""

    @abstractmethod
    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        """Write calls as text in the form that the published prompt asks models for."""

    def with_tools(self, tools: Path) -> AbstractContextManager["Benchmark"]:
        """Return a context manager that yields a copy of this benchmark that can run tools.

        The tools are in the folder or zip file `tools`. A benchmark without tools leaves out the
        metrics that need the results of tools.

        Raises RunError if this benchmark runs no tools, or `tools` contains none.
        """
        raise RunError(f"{tools}: this benchmark runs no tools; leave out --functions")

    def is_scored(self, sample: Sample, argument: Argument) -> bool:
        """Whether a metric depends on the value of this argument, which belongs to a gold call."""
        return True

    def relabelled(self, sample: Sample, output: Plain) -> "Plain | msgspec.UnsetType":
        """Return the output with new labels for all calls, or UNSET if calls have no labels."""
        return msgspec.UNSET
