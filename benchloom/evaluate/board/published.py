"""Results printed in the papers, for the board."""

from collections.abc import Iterator

import msgspec

from benchloom.core.data_files import data_path


class PublishedResult(msgspec.Struct, frozen=True):
    """One line of a table: `level` is empty for all samples; figures are fractions of 1."""

    model: str
    level: str
    metrics: dict[str, float]
    source: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


def published_results() -> dict[str, tuple[PublishedResult, ...]]:
    """Return the printed results by benchmark, without figures known to be misprinted."""
    content = data_path("benchloom.evaluate.board", "published.yaml").read_bytes()
    tables = msgspec.yaml.decode(content, type=dict[str, _Table])
    return {name: tuple(_results(table)) for name, table in tables.items()}


def _results(table: _Table) -> Iterator[PublishedResult]:
    for model, level, *values in table.rows:
        cells = zip(table.columns, values, strict=True)
        metrics = {name: value for name, value in cells if isinstance(value, int | float)}
        yield PublishedResult(str(model), str(level), metrics, table.source)
