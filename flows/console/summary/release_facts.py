"""Read the facts of a release from its manifest, shortcuts, texts, verdicts and completions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.compute as pc

from benchloom.normalise.shortcuts.evaluation_split import first_reason
from benchloom.release import Manifest, read_manifest
from benchloom.storage.tables import read_rows
from benchloom.storage.workspace import CONVERSION, FunnelStep
from flows.console.summary.facts import Closing, LeftOut, Spent
from flows.console.summary.remedies import EVALUATION, TEXTS
from prompts.steps.faithfulness import JUDGED_STEPS

_KINDS = {
    "definition files": ("parse-definitions", "normalise-definitions"),
    "shortcuts": ("parse-shortcuts", "normalise-shortcuts", "enrich-shortcuts"),
    "listings": ("captured-listings",),
    "plans": ("normalise-plans",),
}
"""Stages that leave out things of one kind, one after the other."""
_APART = ("evaluation-split", "fingerprint-shortcuts")
"""Stages that leave nothing out of the release."""
_GENERATE = "generate-"
_JUDGE = f"{_GENERATE}faithfulness"
_PAGES = ("report.html", "sample/index.html")


def closing_of(release: Path) -> Closing:
    """Read the facts about a checked release.

    Raises:
        RunError, GateError: the files of the release cannot be read.
    """
    manifest = read_manifest(release)
    written = {file.path for file in manifest.files}
    texts = _texts(release, manifest)
    return Closing(
        left_out=(*_of_funnel(manifest.funnel), *_evaluation(release, manifest), *texts),
        spent=_spent(release, manifest),
        judged=_judged(release, manifest),
        judge_asked=any(step.stage == _JUDGE for step in manifest.funnel),
        unjudged=_unjudged(release, manifest),
        pages=tuple(page for page in _PAGES if page in written),
    )


def _of_funnel(funnel: Sequence[FunnelStep]) -> Iterator[LeftOut]:
    """Yield, by kind, the rows that the stages before the release omitted."""
    kinds_by_stage = {stage: kind for kind, stages in _KINDS.items() for stage in stages}
    steps: dict[str, list[FunnelStep]] = {kind: [] for kind in _KINDS}
    for step in funnel:
        if step.stage in _APART or step.stage.startswith(_GENERATE):
            continue
        kind = kinds_by_stage.get(step.stage) or step.stage.removeprefix(CONVERSION)
        steps.setdefault(kind, []).append(step)
    for kind, kind_steps in steps.items():
        reasons: Counter[str] = Counter()
        for step in kind_steps:
            reasons.update(step.reasons)
        if reasons:
            received = kind_steps[0].received
            kept_count = max(received - reasons.total(), 0)
            yield LeftOut(kind=kind, received=received, kept=kept_count, reasons=dict(reasons))


def _evaluation(release: Path, manifest: Manifest) -> Iterator[LeftOut]:
    """Yield how many shortcuts are usable for evaluation, and why others are not.

    A shortcut that is not usable counts under its first reason.
    """
    received = kept_count = 0
    reasons: Counter[str] = Counter()
    for columns in _columns(release, manifest, "shortcuts", ["evaluation", "evaluation_reasons"]):
        for is_in, why in zip(*columns, strict=True):
            received += 1
            kept_count += bool(is_in)
            if isinstance(why, list) and why:
                reasons[first_reason(why)] += 1
    if received:
        yield LeftOut(kind=EVALUATION, received=received, kept=kept_count, reasons=dict(reasons))


def _texts(release: Path, manifest: Manifest) -> Iterator[LeftOut]:
    """Yield texts by kind: rows requested, texts kept, and why others were not kept."""
    kinds: dict[object, str] = {}
    kept_counts: Counter[str] = Counter()
    for columns in _columns(release, manifest, "queries", ["query_id", "kind", "kept"]):
        for query_id, kind, is_kept in zip(*columns, strict=True):
            kinds[query_id] = str(kind)
            kept_counts[str(kind)] += bool(is_kept)
    dropped: dict[object, str] = {}
    for columns in _columns(release, manifest, "verdicts", ["target_id", "reason"], "kept"):
        for query_id, reason in zip(*columns, strict=True):
            dropped.setdefault(query_id, str(reason))
    reasons: dict[str, Counter[str]] = {kind: Counter() for kind in sorted(set(kinds.values()))}
    for query_id, reason in dropped.items():
        if query_id in kinds:
            reasons[kinds[query_id]][reason] += 1
    received = Counter(kinds.values())
    for step in manifest.funnel:
        kind = step.stage.removeprefix(_GENERATE)
        if kind != step.stage and step.reasons:
            reasons.setdefault(kind, Counter()).update(step.reasons)
            received[kind] += sum(step.reasons.values())
    for kind, why in reasons.items():
        yield LeftOut(
            kind=f"{TEXTS}: {kind}",
            received=received[kind],
            kept=kept_counts[kind],
            reasons=dict(why),
        )


def _judged(release: Path, manifest: Manifest) -> bool | None:
    """Whether a judge gave a verdict on any text; None if there are no texts to judge."""
    is_judged: bool | None = None
    for columns in _columns(release, manifest, "queries", ["kind", "judged"]):
        for kind, judged in zip(*columns, strict=True):
            if kind in JUDGED_STEPS:
                is_judged = bool(is_judged) or bool(judged)
    return is_judged


def _unjudged(release: Path, manifest: Manifest) -> int:
    """Count the kept model texts, of kinds that can be judged, without a judge's verdict."""
    names = ["kind", "generator", "kept", "judged"]
    return sum(
        kind in JUDGED_STEPS and author == "llm" and bool(is_kept) and not judged
        for columns in _columns(release, manifest, "queries", names)
        for kind, author, is_kept, judged in zip(*columns, strict=True)
    )


def _spent(release: Path, manifest: Manifest) -> Spent | None:
    """Return the cost of the completions; None if there are none."""
    requests = tokens_in = tokens_out = 0
    usd = 0.0
    names = ["tokens_in", "tokens_out", "usd"]
    for columns in _columns(release, manifest, "completions", names):
        for prompt_tokens, completion_tokens, money in zip(*columns, strict=True):
            requests += 1
            tokens_in += int(str(prompt_tokens or 0))
            tokens_out += int(str(completion_tokens or 0))
            usd += float(str(money or 0.0))
    if not requests:
        return None
    return Spent(requests=requests, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


def _columns(
    release: Path, manifest: Manifest, table: str, names: list[str], without: str | None = None
) -> Iterator[list[list[object]]]:
    """Yield the values of some columns of a table, file by file.

    With `without`, rows are skipped in which that boolean column is true.
    """
    for file in manifest.files:
        if file.table == table and file.rows:
            rows = read_rows(release / file.path, [*names, *([without] if without else [])])
            if without is not None:
                rows = rows.filter(pc.invert(rows.column(without)))
            yield [rows.column(name).to_pylist() for name in names]
