"""`samples.parquet`: what was right and wrong in every sample, and why."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from benchloom.evaluate.benchmark import RIGHT, Judged, Sample
from benchloom.exchange.examples import Finding
from benchloom.storage.tables import ColumnDefinition, TableDefinition

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

SAMPLES: Final = "samples.parquet"  # the name of the file


class Count(msgspec.Struct, frozen=True, gc=False):
    """The name and the value of one count of a sample."""

    name: str
    value: float


class SampleRow(msgspec.Struct, frozen=True):
    """One judged sample."""

    sample_id: str
    level: str
    category: str
    aspect: str
    outcome: str
    is_right: bool
    counts: tuple[Count, ...]
    findings: tuple[Finding, ...]
    output: str | None = None
    epoch: int = 0


def row_of(
    sample: Sample, judged: Judged, *, output: "Plain | msgspec.UnsetType" = msgspec.UNSET
) -> SampleRow:
    """Return the row of a judged sample; `output` is unset if the prediction is unreadable."""
    return SampleRow(
        sample.sample_id,
        sample.level,
        sample.category,
        sample.aspect,
        judged.outcome,
        judged.outcome == RIGHT,
        counted(judged.counts),
        judged.findings,
        None if isinstance(output, msgspec.UnsetType) else msgspec.json.encode(output).decode(),
    )


def counted(counts: Mapping[str, float]) -> tuple[Count, ...]:
    """Convert counts to the tuple that a row stores, sorted by name."""
    return tuple(Count(name, float(value)) for name, value in sorted(counts.items()))


def _text(name: str, description: str) -> ColumnDefinition:
    return ColumnDefinition(name, "string", description)


TABLE: Final = TableDefinition(
    name="samples",
    description="What one scoring says about every sample of the gold.",
    licence="that of the gold and of the predictions",
    key=("sample_id", "epoch"),
    sort=(),
    columns=(
        _text("sample_id", "Id of the sample, unique in the gold."),
        _text("level", "Level of the benchmark; empty where it has none."),
        _text("category", "Category of the benchmark; empty where it has none."),
        _text("aspect", "What is asked for, where a benchmark asks for several kinds of thing."),
        _text("outcome", "What became of it, a word of the benchmark."),
        ColumnDefinition("is_right", "bool", "Whether it is right in everything."),
        ColumnDefinition(
            "counts",
            "list<struct>",
            "What the figures are made of: each is a function of the sums over the samples.",
            fields=(
                _text("name", "Name of the count."),
                ColumnDefinition("value", "double", "How much the sample adds to it."),
            ),
        ),
        ColumnDefinition(
            "findings",
            "list<struct>",
            "What was wrong where.",
            fields=(
                _text("kind", "A stable word."),
                _text("message", "The place, and what stands there."),
            ),
        ),
        ColumnDefinition(
            "output",
            "string",
            "The prediction as JSON, which `evaluate report --rescore` judges again.",
            nullable=True,
        ),
        ColumnDefinition("epoch", "int64", "Which run of the sample it is, 0 where it has one."),
    ),
)
