"""`samples.parquet`: for every sample what was right, what was wrong, and why."""

from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.evaluate.benchmark import RIGHT, Judged, Sample

ROWS = 2000
"""Rows of a row group."""
_FINDING = pa.struct([("kind", pa.string()), ("message", pa.string())])
SCHEMA = pa.schema(
    [
        ("sample_id", pa.string()),
        ("level", pa.string()),
        ("category", pa.string()),
        ("aspect", pa.string()),
        ("outcome", pa.string()),
        ("is_right", pa.bool_()),
        ("counts", pa.map_(pa.string(), pa.float64())),
        ("findings", pa.list_(_FINDING)),
    ]
)
"""`counts` are what the figures are made of: each is a function of their sums over the samples."""


class SampleTable:
    """Writes one row per judged sample; a context manager that closes the file."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA)
        self._rows: list[dict[str, object]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def add(self, sample: Sample, judged: Judged) -> None:
        """Take one judged sample."""
        self._rows.append(
            {
                "sample_id": sample.sample_id,
                "level": sample.level,
                "category": sample.category,
                "aspect": sample.aspect,
                "outcome": judged.outcome,
                "is_right": judged.outcome == RIGHT,
                "counts": sorted(judged.counts.items()),
                "findings": [{"kind": one.kind, "message": one.message} for one in judged.findings],
            }
        )
        if len(self._rows) == ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=SCHEMA))
            self._rows = []
