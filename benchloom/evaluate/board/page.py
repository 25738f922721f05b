"""`board.html`: one page with tables and plots per benchmark, model and level."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchloom.evaluate.audit.auditing import Audit, Row
from benchloom.evaluate.benchmark import RULES, Due
from benchloom.evaluate.board.comparison import Comparison
from benchloom.evaluate.board.published import PublishedResult, published_results
from benchloom.evaluate.board.reading import Found, Scored
from benchloom.evaluate.pairing import Unused
from benchloom.evaluate.scoring import Figure
from benchloom.release.describing.pages import write_page

BOARD = "board.html"


class Line(msgspec.Struct, frozen=True):
    """One line of a table: who, under which rules, over how many samples, and the figures.

    `spent` is the cost in US dollars per sample that was right in everything, None where it is
    unknown or nothing was.
    """

    name: str
    rules: str
    samples: int | None
    figures: dict[str, Figure | float]
    spent: float | None = None


class Mutated(msgspec.Struct, frozen=True):
    """One mutation in an audit: the figures under both rule sets, and what each must be."""

    title: str
    samples: int
    figures: dict[str, tuple[float | None, float | None]]
    due: dict[str, Due]
    broken: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True):
    """The audit of a benchmark as a table."""

    samples: int
    metrics: tuple[str, ...]
    rows: tuple[Mutated, ...]


class Section(msgspec.Struct, frozen=True):
    """What the board shows of one benchmark.

    `parts` are the metrics that tell a part of another one: `errors_unparseable` of `errors`.
    """

    name: str
    metrics: tuple[str, ...]
    parts: tuple[str, ...]
    titles: dict[str, str]
    lines: tuple[Line, ...]
    levels: dict[str, tuple[Line, ...]]
    outcomes: tuple[str, ...]
    by_outcome: dict[str, dict[str, int]]
    reasons: dict[str, dict[str, int]]
    sources: tuple[str, ...]
    proof: Proof | None
    compared: tuple[Comparison, ...] = ()
    left_out: tuple[tuple[str, Unused], ...] = ()


def write_board(found: Found, out: Path, compared: Sequence[Comparison] = ()) -> Path:
    """Write the page into a folder; its path."""
    names = dict.fromkeys(
        [one.summary.benchmark for one in found.scored] + [one.benchmark for one in found.audits]
    )
    published = published_results()
    sections = [
        _section(
            name,
            [one for one in found.scored if one.summary.benchmark == name],
            [one for one in found.audits if one.benchmark == name],
            published.get(name, ()),
            [one for one in compared if one.benchmark == name],
        )
        for name in sorted(names)
    ]
    out.mkdir(parents=True, exist_ok=True)
    places = [(f"#{one.name}", one.name, len(one.lines)) for one in sections]
    return write_page(out / BOARD, "board.html.j2", sections=sections, places=places)


def _section(
    name: str,
    scored: Sequence[Scored],
    audits: Sequence[Audit],
    published: Sequence[PublishedResult],
    compared: Sequence[Comparison],
) -> Section:
    metrics = dict.fromkeys(metric for one in scored for metric in one.summary.figures)
    printed = [one for one in published if metrics.keys() & one.metrics.keys()]
    lines = [_line(one) for one in scored]
    lines += [_printed(one) for one in printed if not one.level]
    levels = dict.fromkeys(
        [level for one in scored for level in one.summary.levels]
        + [one.level for one in printed if one.level]
    )
    outcomes = sorted({word for one in scored for word in one.summary.outcomes})
    return Section(
        name=name,
        metrics=tuple(one for one in metrics if not _is_part(one, metrics)),
        parts=tuple(one for one in metrics if _is_part(one, metrics)),
        titles={
            metric: figure.title for one in scored for metric, figure in one.summary.figures.items()
        },
        lines=tuple(lines),
        levels={level: tuple(_of_level(scored, printed, level)) for level in levels},
        outcomes=tuple(outcomes),
        by_outcome={_label(one): one.summary.outcomes for one in scored},
        reasons={
            _label(one): dict(sorted(one.summary.reasons.items(), key=lambda item: -item[1])[:8])
            for one in scored
        },
        sources=tuple(dict.fromkeys(one.source for one in printed)),
        proof=_proof(audits[-1]) if audits else None,
        compared=tuple(compared),
        left_out=tuple(
            (_label(one), one.summary.unused) for one in scored if one.summary.unused != Unused()
        ),
    )


def _is_part(metric: str, others: Iterable[str]) -> bool:
    return any(metric.startswith(f"{other}_") for other in others)


def _label(one: Scored) -> str:
    return f"{one.name}, {one.summary.rules}"


def _line(one: Scored) -> Line:
    right = one.summary.outcomes.get("right", 0)
    cost = one.summary.cost_usd
    spent = cost / right if cost is not None and right else None
    return Line(one.name, one.summary.rules, one.summary.samples, {**one.summary.figures}, spent)


def _printed(one: PublishedResult) -> Line:
    return Line(one.model, "as printed", None, {**one.metrics})


def _of_level(
    scored: Sequence[Scored], printed: Sequence[PublishedResult], level: str
) -> list[Line]:
    lines = [
        Line(
            one.name,
            one.summary.rules,
            one.summary.level_samples.get(level),
            {**one.summary.levels[level]},
        )
        for one in scored
        if level in one.summary.levels
    ]
    return lines + [_printed(one) for one in printed if one.level == level]


def _proof(audit: Audit) -> Proof:
    named = dict.fromkeys(name for row in audit.rows for name in row.metrics)
    metrics = tuple(one for one in named if not _is_part(one, named))
    rows = [_mutated(one, metrics) for one in _by_mutation(audit.rows)]
    return Proof(audit.samples, metrics, tuple(rows))


def _by_mutation(rows: Sequence[Row]) -> list[dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.mutation, {})[row.rules] = row
    return list(found.values())


def _mutated(rows: dict[str, Row], metrics: Sequence[str]) -> Mutated:
    right, published = (rows[one] for one in RULES)
    return Mutated(
        title=right.title,
        samples=right.samples,
        figures={name: (right.metrics.get(name), published.metrics.get(name)) for name in metrics},
        due=right.due,
        broken=right.broken,
    )
