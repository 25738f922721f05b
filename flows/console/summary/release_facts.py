"""This module reads the facts for the summary of a rebuild from the files of the release."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.compute as pc

from benchloom.core.records.texts import GIVEN
from benchloom.normalise.shortcuts.splits import first_reason
from benchloom.release import Manifest, read_manifest
from benchloom.storage.tables import read_rows
from benchloom.storage.workspace import CONVERSION, FunnelStep
from flows.console.summary import EVALUATION, GIVEN_TEXTS, TEXTS, Closing, Spent, Tally
from prompts.steps import JUDGED_STEPS


def columns_of(
    release: Path, manifest: Manifest, table: str, names: list[str], *, without: str | None = None
) -> Iterator[list[list[Any]]]:
    """For each file of a table, yield the columns `names` as lists.

    `without` names a boolean column; rows in which it is true are skipped.
    """
    for file in manifest.files:
        if file.table == table and file.rows:
            rows = read_rows(release / file.path, [*names, *([without] if without else [])])
            if without is not None:
                rows = rows.filter(pc.invert(rows.column(without)))
            yield [rows.column(name).to_pylist() for name in names]


class _Text(NamedTuple):
    """A row of the table `queries`, with the columns that are needed to count texts."""

    query_id: str
    kind: str
    generator: str
    kept: bool
    judged: bool


_DIALOGUES = "dialogues"
_KINDS = {
    "definition files": ("parse-definitions",),
    "definitions": ("normalise-definitions",),
    "shortcuts": ("parse-shortcuts", "normalise-shortcuts", "enrich-shortcuts"),
    "listings": ("captured-listings",),
    _DIALOGUES: ("normalise-plans",),
}
"""A mapping from kinds of rows to the stages that leave rows out, in their order."""
_BY_TABLE = {"definitions": "api_definitions", "plans": "planning_paths"}
"""Kinds of rows that are counted in a table of the release, because several stages write it."""
_UNCOUNTED_STAGES = ("evaluation-split", "execute-shortcuts", "fingerprint-shortcuts")
"""Stages whose rejected rows do not count as left out of the release."""
_GENERATE = "generate-"
JUDGE_STAGE = f"{_GENERATE}faithfulness"
_SUPPLIED_STAGE = "judge-given"
_SUPPLIED_STEP = "query"
"""The step whose rules judge the texts in `[generate] requests`."""
_PAGES = ("report.html", "sample/index.html")


def closing_of(release: Path) -> Closing:
    """Read the facts that the summary of a rebuild reports about a checked release.

    Raises:
        RunError, GateError: the files of the release cannot be read.
    """
    manifest = read_manifest(release)
    written = {file.path for file in manifest.files}
    texts = [
        _Text(*row)
        for columns in columns_of(release, manifest, "queries", list(_Text._fields))
        for row in zip(*columns, strict=True)
    ]
    judgeable = [text for text in texts if text.kind in JUDGED_STEPS]
    return Closing(
        tallies=_tallies(release, manifest, texts),
        spent=_spent(release, manifest),
        judged=any(text.judged for text in judgeable) if judgeable else None,
        judge_asked=any(step.stage == JUDGE_STAGE for step in manifest.funnel),
        unjudged=sum(
            text.generator == "llm" and text.kept and not text.judged for text in judgeable
        ),
        pages=tuple(page for page in _PAGES if page in written),
    )


def _spent(release: Path, manifest: Manifest) -> Spent | None:
    names = ["tokens_in", "tokens_cached", "tokens_out", "usd"]
    requests, sums = 0, dict.fromkeys(names, 0.0)
    for columns in columns_of(release, manifest, "completions", names):
        requests += len(columns[0])
        for name, values in zip(names, columns, strict=True):
            sums[name] += sum(value or 0 for value in values)
    usd = sums.pop("usd")
    tokens = {name: int(count) for name, count in sums.items()}
    return Spent(requests=requests, usd=usd, **tokens) if requests else None


# Stages of one kind follow each other, so the rows kept are those that the last stage kept. Rows
# that several stages write, such as definitions, are counted in the release itself.
def _tallies(release: Path, manifest: Manifest, texts: Sequence[_Text]) -> tuple[Tally, ...]:
    """Return a tally for each kind of rows that the run received."""
    entries = (
        *_of_stages(manifest),
        *_evaluation(release, manifest),
        *_of_texts(release, manifest, texts),
    )
    return tuple(tally for tally in entries if tally.received)


def _of_stages(manifest: Manifest) -> Iterator[Tally]:
    """Yield a tally for each kind of rows that are not texts; plans come last."""
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
    order = _KINDS.get(kind, ())
    stages = {step.stage for step in steps}
    last = {stage for stage in order if stage in stages}
    last = {max(last, key=order.index)} if last else stages
    return sum(step.kept for step in steps if step.stage in last)


def _evaluation(release: Path, manifest: Manifest) -> Iterator[Tally]:
    """Yield a tally that counts shortcuts usable for evaluation, and reasons against the others."""
    kept_count = 0
    reasons: Counter[str] = Counter()
    for columns in columns_of(release, manifest, "shortcuts", ["evaluation", "evaluation_reasons"]):
        for is_in, why in zip(*columns, strict=True):
            kept_count += bool(is_in)
            if isinstance(why, list) and why:
                reasons[first_reason(why)] += 1
    yield _tally(EVALUATION, kept_count, reasons)


def _of_texts(release: Path, manifest: Manifest, texts: Sequence[_Text]) -> Iterator[Tally]:
    """Yield the tallies of texts by kind; texts that people wrote have their own tally.

    A text that is not kept counts under the reason of the first verdict against the text. A row of
    the input for which a step wrote no text counts under the reason that the step gave.
    """
    kept_counts: Counter[str] = Counter()
    dropped: dict[str, str] = {}
    for text in texts:
        group = f"{GIVEN_TEXTS if text.generator == GIVEN else TEXTS}: {text.kind}"
        kept_counts[group] += text.kept
        if not text.kept:
            dropped[text.query_id] = group
    reasons: dict[str, Counter[str]] = {group: Counter() for group in sorted(kept_counts)}
    names = ["target_id", "reason"]
    for columns in columns_of(release, manifest, "verdicts", names, without="kept"):
        for query_id, reason in zip(*columns, strict=True):
            if group := dropped.pop(query_id, ""):
                reasons[group][reason] += 1
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


def _tally(kind: str, kept_count: int, reasons: Mapping[str, int]) -> Tally:
    received = kept_count + sum(reasons.values())
    return Tally(kind=kind, received=received, kept=kept_count, reasons=dict(reasons))
