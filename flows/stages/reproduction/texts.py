"""This release gate checks that templates and rules still give the released texts and verdicts.

For each text the gate rebuilds the input of its step, runs the template again and applies every
rule that reads only one text. Rules that compare texts depend on the order of a run, and a
model's text depends on the model, so the gate repeats neither these rules nor the model.
"""

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import msgspec

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.release.gates import GateView, Part
from benchloom.release.manifest import MANIFEST
from benchloom.release.query_splits import TEMPLATE
from benchloom.storage.tables import iter_records
from flows.stages.reproduction.redacted import is_redacted
from prompts.checks import checks_for
from prompts.results.rows import AnyCase, distinct_cases, examine_text, template_row
from prompts.steps import STEPS, AnyStep, Case, Sampling
from prompts.styles import style_named

OK = "ok"
"""The reason of every verdict that keeps a text."""
_TARGETS = ("shortcuts", "planning_paths")
"""Tables whose texts are compared. Other steps draw their targets by a seed that a release lacks.
"""
_OF_VERDICTS = frozenset({"kept", "judged", "split"})
"""Columns of a text that depend on its verdicts and its target. Other gates check these columns."""


def parts(release: GateView) -> Iterator[Part]:
    """Yield a function for each kind of text, which yields a message for each text that differs."""
    if release.has("queries"):
        for name, step in STEPS.all().items():
            if not step.judges and step.reads[0] in _TARGETS and release.has(step.reads[0]):
                yield partial(_findings, name)
        yield _reception_findings


def _reception_findings(release: GateView) -> Iterator[str]:
    """Yield a message for each LLM step that read a number of rows that no stage wrote."""
    funnel, tables = release.manifest.funnel, release.manifest.tables()
    for funnel_step in funnel:
        name = funnel_step.stage.removeprefix("generate-")
        if name == funnel_step.stage or name not in STEPS.names():
            continue
        table = STEPS.find(name).reads[0]
        if table in _TARGETS:
            rows = {tables.get(table), *(step.rows.get(table) for step in funnel)}
            if funnel_step.received not in rows:
                stage, received = funnel_step.stage, funnel_step.received
                rows_text = f"{received} rows of {table}, but no stage wrote so many"
                yield f"{MANIFEST}: {stage} received {rows_text}"


def _findings(name: str, release: GateView) -> Iterator[str]:
    step = STEPS.find(name)
    texts, verdicts = _texts(release), _verdicts(release)
    for case in distinct_cases(step, release.folder, Sampling()):
        if isinstance(case, Rejected):
            continue
        for text in texts.get((step.kind, case.target_id), ()):
            case_input = _with_style(case.input, text.style)
            if text.generator == TEMPLATE:
                yield from _text_findings(step, case, case_input, text)
            verdict_by_check = verdicts.get(text.query_id, {})
            yield from _verdict_findings(step, case_input, text, verdict_by_check)


def _text_findings(step: AnyStep, case: AnyCase, case_input: Any, text: Query) -> Iterator[str]:
    again = template_row(step, Case(case.target_id, case.source_uri, case_input))
    location = f"queries: {text.query_id}"
    if not isinstance(again, Query):
        yield f"{location}: generator is template, but no template writes about {text.target_id}"
        return
    columns = [name for name in text.__struct_fields__ if name not in _OF_VERDICTS]
    names = [name for name in columns if getattr(text, name) != getattr(again, name)]
    if names and not is_redacted(text, again):
        yield f"{location}: {', '.join(names)}: the template now writes: {again.text[:80]}"


def _verdict_findings(
    step: AnyStep,
    case_input: Any,  # as in `Case`
    text: Query,
    verdict_by_check: dict[str, Verdict],
) -> Iterator[str]:
    text_findings = examine_text(step, case_input, text)
    for check, finding in zip(checks_for(step.kind), text_findings.findings, strict=True):
        verdict = verdict_by_check.get(check.name)
        if verdict is None:
            continue
        if finding is None:
            # A rule that compares texts is not repeated; only its decision and reason must agree.
            if verdict.kept is not (verdict.reason == OK):
                yield (
                    f"verdicts: {text.query_id}: {check.name} has the reason {verdict.reason}; "
                    f"all kept texts and no others have the reason {OK}"
                )
            continue
        verdict_values = (verdict.kept, verdict.reason, verdict.evidence, verdict.score)
        evidence = " ".join(finding.evidence.split())
        is_same = verdict_values == (finding.kept, finding.reason, evidence, None)
        if not is_same and not is_redacted(text, verdict, finding, case_input):
            yield (
                f"verdicts: {text.query_id}: {check.name} is {verdict.reason} "
                f"({verdict.evidence}), but the rule now says {finding.reason} ({evidence})"
            )


def _with_style(case_input: Any, style: str | None) -> Any:  # as in `Case`
    """Return a step's input with the style that a seed drew when the text was written."""
    if style is None or not hasattr(case_input, "style"):
        return case_input
    return msgspec.structs.replace(case_input, style=style_named(style))


@lru_cache(maxsize=1)
def _texts(release: GateView) -> dict[tuple[str, str], list[Query]]:
    texts: dict[tuple[str, str], list[Query]] = {}
    for text in iter_records(release.folder, "queries", Query):
        texts.setdefault((text.kind, text.target_id), []).append(text)
    return texts


@lru_cache(maxsize=1)
def _verdicts(release: GateView) -> dict[str, dict[str, Verdict]]:
    verdicts: dict[str, dict[str, Verdict]] = {}
    for verdict in iter_records(release.folder, "verdicts", Verdict):
        verdicts.setdefault(verdict.target_id, {})[verdict.check] = verdict
    return verdicts
