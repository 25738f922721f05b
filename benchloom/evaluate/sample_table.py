"""The table `samples.parquet`: outcome, counts, faults and prediction of every scored sample."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import pyarrow.parquet as pq

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmark import RIGHT, Judged, Sample
from benchloom.exchange.examples import Finding
from benchloom.storage.tables import ColumnDefinition, TableDefinition

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

SAMPLES: Final = "samples.parquet"  # the name of the file


class Count(msgspec.Struct, frozen=True, gc=False):
    """One of the numbers that a sample contributes to metrics, with its name."""

    name: str
    value: float


class SampleRow(msgspec.Struct, frozen=True):
    """A row of `samples.parquet`, which is a sample with the judgement of its prediction."""

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
    """Return the table row of a judged sample; `output` is UNSET for an unreadable prediction."""
    return SampleRow(
        sample.sample_id,
        sample.level,
        sample.category,
        sample.aspect,
        judged.outcome,
        judged.outcome == RIGHT,
        sorted_counts(judged.counts),
        judged.findings,
        None if isinstance(output, msgspec.UnsetType) else msgspec.json.encode(output).decode(),
    )


def sorted_counts(counts: Mapping[str, float]) -> tuple[Count, ...]:
    """Convert a mapping of counts to the form of a table row, sorted by name."""
    return tuple(Count(name, float(value)) for name, value in sorted(counts.items()))


def _text(name: str, description: str) -> ColumnDefinition:
    return ColumnDefinition(name, "string", description)


TABLE: Final = TableDefinition(
    name="samples",
    description="The results of a scoring, one row for each sample of the gold.",
    licence="the licences of the gold and of the predictions",
    key=("sample_id", "epoch"),
    sort=(),
    columns=(
        _text("sample_id", "Id of the sample, unique in the gold."),
        _text("level", "Level of the sample; empty if the benchmark has no levels."),
        _text("category", "Category of the sample; empty if the benchmark has no categories."),
        _text("aspect", "Kind of the requested prediction, if the benchmark has several kinds."),
        _text("outcome", "Outcome of the sample, a word that the benchmark defines."),
        ColumnDefinition("is_right", "bool", "Whether the prediction is right in every respect."),
        ColumnDefinition(
            "counts",
            "list<struct>",
            "Counts of the sample; every metric is a function of the sums over samples.",
            fields=(
                _text("name", "Name of the count."),
                ColumnDefinition("value", "double", "Value that the sample adds to the count."),
            ),
        ),
        ColumnDefinition(
            "findings",
            "list<struct>",
            "Faults of the prediction.",
            fields=(
                _text("kind", "Kind of the fault, a stable word."),
                _text("message", "Location of the fault, and the value there."),
            ),
        ),
        ColumnDefinition(
            "output",
            "string",
            "The prediction as JSON, which `evaluate report --rescore` judges again.",
            nullable=True,
        ),
        ColumnDefinition("epoch", "int64", "Number of the run of the sample, from 0."),
    ),
)

_COLUMNS = ("sample_id", "epoch", "outcome", "counts", "output")
_NEEDED = {"sample_id", "outcome", "counts"}


class StoredSample(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `samples.parquet`; `output` is JSON, or None if no prediction was decoded."""

    sample_id: str
    epoch: int
    outcome: str
    counts: dict[str, float]
    output: str | None


def read_samples(folder: Path) -> Iterator[StoredSample]:
    """Yield the rows of `samples.parquet` in a result folder, in the order of gold.

    Raises RunError if the file does not exist or is damaged.
    """
    path = folder / SAMPLES
    if not path.is_file():
        raise RunError(
            f"{folder} contains no {SAMPLES}; score the predictions with --out to write the file"
        )
    try:
        file = pq.ParquetFile(path)
        names = set(file.schema_arrow.names)
        if not names >= _NEEDED:
            raise RunError(
                f"{path} has no column {min(_NEEDED - names)}; score the predictions again"
            )
        for batch in file.iter_batches(columns=[column for column in _COLUMNS if column in names]):
            for row in batch.to_pylist():
                yield StoredSample(
                    sample_id=row["sample_id"],
                    epoch=row.get("epoch", 0),
                    outcome=row["outcome"],
                    counts={count["name"]: count["value"] for count in row["counts"]},
                    output=row.get("output"),
                )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path} cannot be read ({error}); score the predictions again") from error


def stores_outputs(folder: Path) -> bool:
    """Whether a result folder contains the predictions, which older versions did not store."""
    try:
        return "output" in pq.ParquetFile(folder / SAMPLES).schema_arrow.names
    except (OSError, ValueError):
        return False
