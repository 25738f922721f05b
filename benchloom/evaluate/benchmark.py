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
RIGHT = "right"  # the outcome of a sample that is right in everything
Expected: TypeAlias = Literal["gold", "lower", "zero", "any"]
"""The expected metric of changed gold: equal to gold's, lower, zero, or any value."""
UNPARSEABLE = "unparseable"
"""The outcome of an output that cannot be read; every metric counts it as wrong."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a benchmark: the prediction to make, and the expected answer."""

    sample_id: str  # unique in the gold
    example: Example
    position: int | None = None  # index of the call to predict; None for all calls of the example
    level: str = ""  # a group for which figures are given, as is `category`
    category: str = ""
    aspect: str = ""  # `call` or `response`, if a benchmark asks for several kinds of thing


class LeftOut(msgspec.Struct, frozen=True):
    """A gold record that cannot be read: its location, the reason's stable name, and the fault."""

    record: str
    reason: str
    message: str


Report: TypeAlias = Callable[[LeftOut], None]
"""Receives every gold record that is left out, in the order of the samples."""


def unreported(left_out: LeftOut) -> None:
    """Do nothing with a record that was left out; the default for `report`."""
    del left_out


class Judged(msgspec.Struct, frozen=True):
    """The judgement of an output; its counts are summed over samples."""

    outcome: str  # one of the benchmark's `outcomes`
    counts: Mapping[str, float]
    findings: tuple[Finding, ...] = ()  # each a fault and its location


class Benchmark(ABC):
    """A published benchmark."""

    title: ClassVar[str]
    """Description of the task in one line."""
    outcomes: ClassVar[Mapping[str, str]]
    """Meanings of the outcomes; `right` and `unparseable` are among the outcomes."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Aspects for which a file of predictions, in the order of gold, may have no lines."""

    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = {}
    """Expected metrics under the rules `right` after each mutation that changes gold's meaning.

    By name of the mutation (`benchloom.evaluate.audit`) and of the metric; any other metric must
    equal that of gold. Mutations that do not change the meaning need no entry.
    """

    @abstractmethod
    def metrics(self, rules: Rules) -> Sequence[Metric]:
        """Return the metrics, in the order in which result tables show them."""

    @abstractmethod
    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        """Yield the samples of published files or of a release, in the order of predictions.

        A damaged record is left out and passed to `report`.

        Raises:
            RunError: there is no record of this benchmark, or all its records are damaged.
        """

    @abstractmethod
    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Judge an output, which has the structure of gold or is a model's text.

        Time and memory are bounded for any output; an unreadable output is `unparseable`.
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
        """Return this benchmark; inside the `with` block it can run the tools of a folder or zip.

        Without tools, metrics that need results are not measured.

        Raises:
            RunError: this benchmark runs no tools, or `tools` contains none.
        """
        raise RunError(f"this benchmark runs no tools; leave out {tools}")

    def is_scored(self, sample: Sample, argument: Argument) -> bool:
        """Whether a metric depends on the value of this argument of a gold call."""
        return True

    def relabelled(self, sample: Sample, output: Plain) -> "Plain | msgspec.UnsetType":
        """Return the output with every call label renumbered; unset if it has no labels."""
        return msgspec.UNSET
