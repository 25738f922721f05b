"""Read the samples that a scoring stored: their counts, outcomes and predictions."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from benchloom.core.errors import RunError
from benchloom.evaluate.results.sample_table import SAMPLES

_COLUMNS = ("sample_id", "epoch", "outcome", "counts", "output")
_NEEDED = {"sample_id", "outcome", "counts"}


class StoredSample(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `samples.parquet`; `output` is JSON, None if no prediction was decoded."""

    sample_id: str
    epoch: int
    outcome: str
    counts: dict[str, float]
    output: str | None


def read_samples(folder: Path) -> Iterator[StoredSample]:
    """Yield the stored samples of a scoring, in the order of gold.

    Raises:
        RunError: there are no stored samples, or the file is damaged.
    """
    path = folder / SAMPLES
    if not path.is_file():
        raise RunError(f"{folder} contains no {SAMPLES}; score with --out to write it")
    try:
        file = pq.ParquetFile(path)
        names = set(file.schema_arrow.names)
        if not names >= _NEEDED:
            raise RunError(f"{path} has no column {min(_NEEDED - names)}")
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
    """Whether a scoring stored its predictions; scorings of older versions did not."""
    try:
        return "output" in pq.ParquetFile(folder / SAMPLES).schema_arrow.names
    except (OSError, ValueError):
        return False
