"""The interface of a benchmark: read gold, judge an output, list the figures."""

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
Due: TypeAlias = Literal["gold", "lower", "zero", "any"]
"""The expected figure of changed gold: that of gold, a worse one, 0, or any."""
UNPARSEABLE = "unparseable"
"""The outcome of an output that cannot be read; every figure counts it as wrong."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One prediction to make, with its expected answer."""

    sample_id: str  # unique in the gold
    example: Example
    position: int | None = None  # index of the call to predict; None for all calls of the example
    level: str = ""  # a group for which figures are given, as is `category`
    category: str = ""
    aspect: str = ""  # `call` or `response`, if a benchmark asks for several kinds of thing


class LeftOut(msgspec.Struct, frozen=True):
    """A gold record that cannot be read: its location, a stable reason, and the fault."""

    record: str
    reason: str
    message: str


Report: TypeAlias = Callable[[LeftOut], None]
"""Takes every gold record that is left out, in the order of the samples."""


def unreported(left_out: LeftOut) -> None:
    """Ignore a record that was left out."""
    del left_out


class Judged(msgspec.Struct, frozen=True):
    """The judgement of one output; counts are additive."""

    outcome: str  # one of the benchmark's `outcomes`
    counts: Mapping[str, float]
    findings: tuple[Finding, ...] = ()  # each a fault and its location


class Benchmark(ABC):
    """One published benchmark."""

    title: ClassVar[str]
    """Description of what the benchmark asks, in one line."""
    outcomes: ClassVar[Mapping[str, str]]
    """The words of its outcomes and what they mean; `right` and `unparseable` are among them."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Aspects that a file of predictions in the order of gold may leave out completely."""

    dues: ClassVar[Mapping[str, Mapping[str, Due]]] = {}
    """Expected figures under the rules `right` after each mutation that changes what gold says.

    By name of the mutation (`benchloom.evaluate.audit`) and of the metric; a metric that is not
    named must be that of gold. Mutations that change nothing need no entry.
    """

    @abstractmethod
    def metrics(self, rules: Rules) -> Sequence[Metric]:
        """The figures, in the order of tables."""

    @abstractmethod
    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        """Yield the samples of published files or of a release, in the order of predictions.

        A damaged record is left out and passed to `report`.

        Raises:
            RunError: nothing there is of this benchmark, or all records of it are damaged.
        """

    @abstractmethod
    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Judge an output, which has the structure of gold or is a text that a model wrote.

        Time and memory are bounded for any output; an unreadable output is `unparseable`.
        """

    def unread(self, sample: Sample, rules: Rules) -> Judged:
        """Judge an answer that is too long or too deep to be decoded."""
        return Judged(UNPARSEABLE, self.judge(sample, "", rules).counts)

    @abstractmethod
    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Return calls in the structure of gold, as `judge` takes it."""

    @abstractmethod
    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        """Return calls as text in the form that the published prompt asks for."""

    def with_tools(self, tools: Path) -> AbstractContextManager["Benchmark"]:
        """Return this benchmark, able to run the tools of a folder or zip inside the block.

        Without tools, figures that need results are not measured.

        Raises:
            RunError: this benchmark runs no tools, or `tools` contains none.
        """
        raise RunError(f"this benchmark runs no tools; {tools} is not needed")

    def is_scored(self, sample: Sample, argument: Argument) -> bool:
        """Whether a figure depends on the value of an argument of gold."""
        return True

    def relabelled(self, sample: Sample, output: Plain) -> "Plain | msgspec.UnsetType":
        """Return the output with every call label renumbered; unset if it has no labels."""
        return msgspec.UNSET
