"""Write `board.html`, a page with tables and plots of scores by benchmark, model and level."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.data_files import data_path
from benchloom.evaluate.audit.report import Audit, Row
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.board.comparison import Comparison
from benchloom.evaluate.board.content import ResultSet, Scored
from benchloom.evaluate.pairs import Unused
from benchloom.evaluate.scoring import Figure
from benchloom.release.descriptions.pages import write_page


class PublishedResult(msgspec.Struct, frozen=True):
    """The metrics of a model that a paper printed, as fractions of 1.

    `level` is the level of the samples, or empty for the metrics of all samples.
    """

    model: str
    level: str
    metrics: dict[str, float]
    source: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


def published_results() -> dict[str, tuple[PublishedResult, ...]]:
    """Return a mapping from benchmark to the results in its papers, except known misprints."""
    content = data_path("benchloom.evaluate.board", "published.yaml").read_bytes()
    tables = msgspec.yaml.decode(content, type=dict[str, _Table])
    return {name: tuple(_results(table)) for name, table in tables.items()}


def _results(table: _Table) -> Iterator[PublishedResult]:
    for model, level, *values in table.rows:
        cells = zip(table.columns, values, strict=True)
        metrics = {name: value for name, value in cells if isinstance(value, int | float)}
        yield PublishedResult(str(model), str(level), metrics, table.source)


BOARD = "board.html"


class _Line(msgspec.Struct, frozen=True):
    name: str
    rules: str
    samples: int | None  # None for printed results
    figures: dict[str, Figure | float]
    spent: float | None = None  # US dollars per completely right sample


class _Mutated(msgspec.Struct, frozen=True):
    title: str
    samples: int
    figures: dict[str, tuple[float | None, float | None]]
    broken: tuple[str, ...]


class _Proof(msgspec.Struct, frozen=True):
    samples: int
    metrics: tuple[str, ...]
    rows: tuple[_Mutated, ...]


class _Section(msgspec.Struct, frozen=True):
    name: str
    metrics: tuple[str, ...]
    parts: tuple[
        str, ...
    ]  # metrics that are a part of another metric: `errors_unparseable` of `errors`
    titles: dict[str, str]
    lines: tuple[_Line, ...]
    levels: dict[str, tuple[_Line, ...]]
    outcomes: tuple[str, ...]
    by_outcome: dict[str, dict[str, int]]
    reasons: dict[str, dict[str, int]]
    sources: tuple[str, ...]
    proof: _Proof | None
    compared: tuple[Comparison, ...] = ()
    left_out: tuple[tuple[str, Unused], ...] = ()


def write_board(results: ResultSet, out: Path, compared: Sequence[Comparison] = ()) -> Path:
    """Write `board.html` with the scores of models into the folder `out`, and return its path."""
    names = dict.fromkeys(
        [scoring.summary.benchmark for scoring in results.scored]
        + [audit.benchmark for audit in results.audits]
    )
    published = published_results()
    sections = [
        _section(
            name,
            [scoring for scoring in results.scored if scoring.summary.benchmark == name],
            [audit for audit in results.audits if audit.benchmark == name],
            published.get(name, ()),
            [comparison for comparison in compared if comparison.benchmark == name],
        )
        for name in sorted(names)
    ]
    out.mkdir(parents=True, exist_ok=True)
    links = [(f"#{section.name}", section.name, len(section.lines)) for section in sections]
    return write_page(out / BOARD, "board.html.j2", sections=sections, places=links)


def _section(
    name: str,
    scored: Sequence[Scored],
    audits: Sequence[Audit],
    published: Sequence[PublishedResult],
    compared: Sequence[Comparison],
) -> _Section:
    metrics = dict.fromkeys(metric for scoring in scored for metric in scoring.summary.figures)
    printed = [result for result in published if metrics.keys() & result.metrics.keys()]
    lines = [_line(scoring) for scoring in scored]
    lines += [_printed_line(result) for result in printed if not result.level]
    levels = dict.fromkeys(
        [level for scoring in scored for level in scoring.summary.levels]
        + [result.level for result in printed if result.level]
    )
    outcomes = sorted({word for scoring in scored for word in scoring.summary.outcomes})
    return _Section(
        name=name,
        metrics=tuple(metric for metric in metrics if not _is_part(metric, metrics)),
        parts=tuple(metric for metric in metrics if _is_part(metric, metrics)),
        titles={
            metric: figure.title
            for scoring in scored
            for metric, figure in scoring.summary.figures.items()
        },
        lines=tuple(lines),
        levels={level: tuple(_of_level(scored, printed, level)) for level in levels},
        outcomes=tuple(outcomes),
        by_outcome={_label(scoring): scoring.summary.outcomes for scoring in scored},
        reasons={
            _label(scoring): dict(
                sorted(scoring.summary.reasons.items(), key=lambda item: -item[1])[:8]
            )
            for scoring in scored
        },
        sources=tuple(dict.fromkeys(result.source for result in printed)),
        proof=_proof(audits[-1]) if audits else None,
        compared=tuple(compared),
        left_out=tuple(
            (_label(scoring), scoring.summary.unused)
            for scoring in scored
            if scoring.summary.unused != Unused()
        ),
    )


def _is_part(metric: str, others: Iterable[str]) -> bool:
    return any(metric.startswith(f"{other}_") for other in others)


def _label(scoring: Scored) -> str:
    return f"{scoring.name}, {scoring.summary.rules}"


def _line(scoring: Scored) -> _Line:
    right = scoring.summary.outcomes.get("right", 0)
    cost = scoring.summary.cost_usd
    spent = cost / right if cost is not None and right else None
    return _Line(
        scoring.name,
        scoring.summary.rules,
        scoring.summary.samples,
        {**scoring.summary.figures},
        spent,
    )


def _printed_line(result: PublishedResult) -> _Line:
    return _Line(result.model, "as printed", None, {**result.metrics})


def _of_level(
    scored: Sequence[Scored], printed: Sequence[PublishedResult], level: str
) -> list[_Line]:
    lines = [
        _Line(
            scoring.name,
            scoring.summary.rules,
            scoring.summary.level_samples.get(level),
            {**scoring.summary.levels[level]},
        )
        for scoring in scored
        if level in scoring.summary.levels
    ]
    return lines + [_printed_line(result) for result in printed if result.level == level]


def _proof(audit: Audit) -> _Proof:
    metric_names = dict.fromkeys(name for row in audit.rows for name in row.metrics)
    metrics = tuple(metric for metric in metric_names if not _is_part(metric, metric_names))
    rows = [_mutation_row(mutation_rows, metrics) for mutation_rows in _by_mutation(audit.rows)]
    return _Proof(audit.samples, metrics, tuple(rows))


def _by_mutation(rows: Sequence[Row]) -> list[dict[str, Row]]:
    rows_by_mutation: dict[str, dict[str, Row]] = {}
    for row in rows:
        rows_by_mutation.setdefault(row.mutation, {})[row.rules] = row
    return list(rows_by_mutation.values())


def _mutation_row(rows: dict[str, Row], metrics: Sequence[str]) -> _Mutated:
    right, published = (rows[rule_set] for rule_set in RULES)
    return _Mutated(
        title=right.title,
        samples=right.samples,
        figures={name: (right.metrics.get(name), published.metrics.get(name)) for name in metrics},
        broken=right.broken,
    )
