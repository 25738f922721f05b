"""Read the facts of a release from its manifest, shortcuts, texts, verdicts and completions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow.compute as pc

from benchloom.normalise.shortcuts.splits import first_reason
from benchloom.release import Manifest, read_manifest
from benchloom.storage.tables import read_rows
from benchloom.storage.workspace import CONVERSION, FunnelStep
from flows.console.summary import EVALUATION, GIVEN_TEXTS, TEXTS, Closing, Spent, Tally
from prompts.steps import JUDGED_STEPS


def columns_of(
    release: Path, manifest: Manifest, table: str, names: list[str], *, without: str | None = None
) -> Iterator[list[list[object]]]:
    """Yield the values of some columns of a table, file by file.

    `without` is a boolean column; rows in which it is true are skipped.
    """
    for file in manifest.files:
        if file.table == table and file.rows:
            rows = read_rows(release / file.path, [*names, *([without] if without else [])])
            if without is not None:
                rows = rows.filter(pc.invert(rows.column(without)))
            yield [rows.column(name).to_pylist() for name in names]


_DIALOGUES = "dialogues"

_KINDS = {
    "definition files": ("parse-definitions",),
    "definitions": ("normalise-definitions",),
    "shortcuts": ("parse-shortcuts", "normalise-shortcuts", "enrich-shortcuts"),
    "listings": ("captured-listings",),
    _DIALOGUES: ("normalise-plans",),
}

"""For each kind of rows, the stages that leave rows out, in their order."""

_BY_TABLE = {"definitions": "api_definitions", "plans": "planning_paths"}

"""Kinds whose rows come from several stages, which merge equal rows."""

_UNCOUNTED_STAGES = ("evaluation-split", "execute-shortcuts", "fingerprint-shortcuts")

"""Stages whose rejected rows do not count as left out of the release."""

_GENERATE = "generate-"

JUDGE_STAGE = f"{_GENERATE}faithfulness"

_SUPPLIED_STAGE = "judge-given"

_SUPPLIED_STEP = "query"

"""The step of the texts in `[generate] requests`."""

_SUPPLIED = "given"

"""The generator of texts by people or other tools."""

_PAGES = ("report.html", "sample/index.html")


def closing_of(release: Path) -> Closing:
    """Read the facts about a checked release.

    Raises:
        RunError, GateError: the files of the release cannot be read.
    """
    manifest = read_manifest(release)
    written = {file.path for file in manifest.files}
    return Closing(
        tallies=tallies(release, manifest),
        spent=_spent(release, manifest),
        judged=_is_judged(release, manifest),
        judge_asked=any(step.stage == JUDGE_STAGE for step in manifest.funnel),
        unjudged=_count_unjudged(release, manifest),
        pages=tuple(page for page in _PAGES if page in written),
    )


def _is_judged(release: Path, manifest: Manifest) -> bool | None:
    """Whether a judge gave a verdict on any text; None if there are no texts to judge."""
    is_judged: bool | None = None
    for columns in columns_of(release, manifest, "queries", ["kind", "judged"]):
        for kind, judged in zip(*columns, strict=True):
            if kind in JUDGED_STEPS:
                is_judged = bool(is_judged) or bool(judged)
    return is_judged


def _count_unjudged(release: Path, manifest: Manifest) -> int:
    """Count the model's kept texts that a judge could grade but no judge has graded."""
    names = ["kind", "generator", "kept", "judged"]
    return sum(
        kind in JUDGED_STEPS and author == "llm" and bool(is_kept) and not judged
        for columns in columns_of(release, manifest, "queries", names)
        for kind, author, is_kept, judged in zip(*columns, strict=True)
    )


def _spent(release: Path, manifest: Manifest) -> Spent | None:
    """Return the cost of the completions; None if there are none."""
    requests = tokens_in = tokens_cached = tokens_out = 0
    usd = 0.0
    names = ["tokens_in", "tokens_cached", "tokens_out", "usd"]
    for columns in columns_of(release, manifest, "completions", names):
        for prompt_tokens, cached_tokens, completion_tokens, money in zip(*columns, strict=True):
            requests += 1
            tokens_cached += int(str(cached_tokens or 0))
            tokens_in += int(str(prompt_tokens or 0))
            tokens_out += int(str(completion_tokens or 0))
            usd += float(str(money or 0.0))
    if not requests:
        return None
    return Spent(
        requests=requests,
        tokens_in=tokens_in,
        tokens_cached=tokens_cached,
        tokens_out=tokens_out,
        usd=usd,
    )


# Stages of one kind follow each other, so the rows kept are those that the last stage kept. Rows
# that several stages write, such as definitions, are counted in the release itself.
def tallies(release: Path, manifest: Manifest) -> tuple[Tally, ...]:
    """Return one tally for each kind of rows, without kinds that the release does not have."""
    entries = (
        *_of_stages(manifest),
        *_evaluation(release, manifest),
        *_texts(release, manifest),
    )
    return tuple(tally for tally in entries if tally.received)


def _of_stages(manifest: Manifest) -> Iterator[Tally]:
    """Yield the tallies of rows that the stages read, in the order of `_KINDS`."""
    rows = manifest.tables()
    steps: dict[str, list[FunnelStep]] = {kind: [] for kind in _KINDS}
    for step in manifest.funnel:
        if step.stage not in {*_UNCOUNTED_STAGES, _SUPPLIED_STAGE} and not _is_text_stage(step):
            steps.setdefault(_kind_of(step), []).append(step)
    for kind, kind_steps in steps.items():
        reasons: Counter[str] = Counter()
        for step in kind_steps:
            reasons.update(step.reasons)
        table = _BY_TABLE.get(kind)
        kept_count = _final_count(kind, kind_steps) if table is None else rows.get(table, 0)
        yield _tally(kind, kept_count, reasons)
    yield _tally("plans", rows.get(_BY_TABLE["plans"], 0), {})


def _is_text_stage(step: FunnelStep) -> bool:
    return step.stage.startswith(_GENERATE) and step.stage != JUDGE_STAGE


def _kind_of(step: FunnelStep) -> str:
    if step.stage.startswith(CONVERSION):
        return _DIALOGUES
    if step.stage == JUDGE_STAGE:
        return "judgements"
    for kind, stages in _KINDS.items():
        if step.stage in stages:
            return kind
    return step.stage


def _final_count(kind: str, steps: Sequence[FunnelStep]) -> int:
    """Count the objects that remain after the last stage for their kind."""
    order = _KINDS.get(kind, ())
    stages = {step.stage for step in steps}
    last = {stage for stage in order if stage in stages}
    last = {max(last, key=order.index)} if last else stages
    return sum(step.kept for step in steps if step.stage in last)


def _evaluation(release: Path, manifest: Manifest) -> Iterator[Tally]:
    """Yield the number of shortcuts usable for evaluation, and why others are not usable."""
    kept_count = 0
    reasons: Counter[str] = Counter()
    for columns in columns_of(release, manifest, "shortcuts", ["evaluation", "evaluation_reasons"]):
        for is_in, why in zip(*columns, strict=True):
            kept_count += bool(is_in)
            if isinstance(why, list) and why:
                reasons[first_reason(why)] += 1
    yield _tally(EVALUATION, kept_count, reasons)


def _texts(release: Path, manifest: Manifest) -> Iterator[Tally]:
    """Yield the tallies of texts by kind; texts that people wrote have their own tally.

    A row of the input without a text counts under the reason of its step.
    """
    group_of: dict[object, str] = {}
    kept_counts: Counter[str] = Counter()
    names = ["query_id", "kind", "generator", "kept"]
    for columns in columns_of(release, manifest, "queries", names):
        for query_id, kind, generator, is_kept in zip(*columns, strict=True):
            group = f"{GIVEN_TEXTS if generator == _SUPPLIED else TEXTS}: {kind}"
            group_of[query_id] = group
            kept_counts[group] += bool(is_kept)
    reasons: dict[str, Counter[str]] = {group: Counter() for group in sorted(kept_counts)}
    for query_id, reason in _faults(release, manifest).items():
        if query_id in group_of:
            reasons[group_of[query_id]][reason] += 1
    for step in manifest.funnel:
        if _is_text_stage(step):
            group = f"{TEXTS}: {step.stage.removeprefix(_GENERATE)}"
        elif step.stage == _SUPPLIED_STAGE:
            group = f"{GIVEN_TEXTS}: {_SUPPLIED_STEP}"
        else:
            continue
        reasons.setdefault(group, Counter()).update(step.reasons)
    for group, why in reasons.items():
        yield _tally(group, kept_counts[group], why)


def _faults(release: Path, manifest: Manifest) -> Mapping[object, str]:
    """Return, for every text that is not kept, the first reason."""
    not_kept = {
        query_id
        for columns in columns_of(release, manifest, "queries", ["query_id"], without="kept")
        for query_id in columns[0]
    }
    faults: dict[object, str] = {}
    names = ["target_id", "reason"]
    for columns in columns_of(release, manifest, "verdicts", names, without="kept"):
        for query_id, reason in zip(*columns, strict=True):
            if query_id in not_kept:
                faults.setdefault(query_id, str(reason))
    return faults


def _tally(kind: str, kept_count: int, reasons: Mapping[str, int]) -> Tally:
    received = kept_count + sum(reasons.values())
    return Tally(kind=kind, received=received, kept=kept_count, reasons=dict(reasons))
