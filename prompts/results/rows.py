"""Build the rows of finished conversations, and run the checks on their texts.

A row is a query, a verdict, or a rejected row. The checks for a kind of text run in a fixed order.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Query, Rejected, Verdict
from benchloom.core.records.texts import GIVEN
from prompts.ledger.prices import NANO
from prompts.steps import AnyStep, Case, Grade, Sampling, Written

if TYPE_CHECKING:
    from prompts.talks.driver import Talk


from prompts.checks import Finding, checks_for
from prompts.subject import Subject, Value

AnyCase = Case[Any]
Row = Query | Verdict | Rejected
MAX_TEXT = 8_000
SORTING = "category"
"""The only kind of text that assigns a category to its shortcut."""
NOT_REQUESTED = frozenset(
    {
        "dropped_by_rules",
        "duplicate_target",
        "no_actions",
        "no_chain",
        "no_conversation",
        "no_definitions",
        "no_query",
        "no_source",
        "no_steps",
        "no_template",
        "runs_other_shortcut",
        "too_many_actions",
    }
)
"""Reasons of rejected rows for which no request is sent. All other reasons are those of unusable
replies."""


def distinct_cases(step: AnyStep, folder: Path, sampling: Sampling) -> Iterator[AnyCase | Rejected]:
    """Yield a step's cases (inputs of one text each); reject a case whose id occurred before."""
    seen: set[str] = set()
    for case in step.cases(folder, sampling):
        if isinstance(case, Case):
            if case.target_id in seen:
                yield Rejected(
                    "generate",
                    case.source_uri,
                    "duplicate_target",
                    "an earlier row has this id",
                    case.target_id,
                )
                continue
            seen.add(case.target_id)
        yield case


def row_of(step: AnyStep, case: AnyCase, talk: "Talk[Written | Grade]") -> Row:
    """Return the row of a conversation; a text that is empty or too long is rejected."""
    if talk.fault is not None or talk.value is None:
        reason = talk.fault.reason if talk.fault else "no_result"
        message = talk.fault.message if talk.fault else "the conversation gave nothing"
        return Rejected("generate", case.source_uri, reason, message, case.target_id)
    if isinstance(talk.value, Grade):
        judge = talk.last.reply.served_model if talk.last else ""
        return _verdict(step, case, talk.value, judge)
    fault = text_fault(talk.value.text)
    if fault is not None:
        return Rejected("generate", case.source_uri, *fault, case.target_id)
    last = talk.value.answer or talk.last
    return msgspec.structs.replace(
        query_row(step, case, talk.value, "llm"),
        prompt_digest=last.request_digest if last else None,
        completion_digest=last.completion_digest if last else None,
        model=last.reply.served_model if last else None,
        tokens_in=talk.spent.tokens_in,
        tokens_out=talk.spent.tokens_out,
        usd=talk.spent.usd_nano / NANO,
    )


def template_row(step: AnyStep, case: AnyCase) -> Row:
    """Return the row of a text that is written without a model, from templates."""
    written = step.template(case.input)
    if written is None:
        return no_template(case)
    if isinstance(written, Grade):
        return _verdict(step, case, written, "")
    return query_row(step, case, written, "template")


def no_template(case: AnyCase) -> Rejected:
    """Return the rejected row of a case for which no template fits."""
    return Rejected("generate", case.source_uri, "no_template", "no template fits", case.target_id)


def _verdict(step: AnyStep, case: AnyCase, grade: Grade, judge: str) -> Verdict:
    return Verdict(
        target_id=case.target_id,
        check=step.check(judge),
        kept=grade.kept,
        reason=grade.reason,
        score=grade.score,
        evidence=grade.evidence,
    )


def reworded(row: Query, text: str) -> Query:
    """Return the row with a person's replacement text, which no check has examined yet."""
    written = Written(text, row.structured, row.category)
    return msgspec.structs.replace(
        row,
        query_id=query_id(row.target_id, row.kind, GIVEN, written),
        text=text,
        kept=True,
        judged=False,
        style=None,
        prompt_digest=None,
        completion_digest=None,
        model=None,
        generator=GIVEN,
        tokens_in=0,
        tokens_out=0,
        usd=0.0,
    )


def text_fault(
    text: str, empty: str = "empty_reply", too_long: str = "reply_too_long"
) -> tuple[str, str] | None:
    """Return the reason and message for an empty or too long text, or None for other texts."""
    if not text.strip():
        return empty, "the text is empty"
    if len(text) > MAX_TEXT:
        return too_long, f"{len(text)} characters, at most {MAX_TEXT}"
    return None


def query_row(step: AnyStep, case: AnyCase, written: Written, generator: str) -> Query:
    """Return the row of a text that cost no request, such as a text from a template."""
    return Query(
        query_id=query_id(case.target_id, step.kind, generator, written),
        target_id=case.target_id,
        kind=step.kind,
        text=written.text,
        category=written.category,
        style=written.style,
        structured=written.structured,
        prompt_digest=None,
        completion_digest=None,
        model=None,
        generator=generator,
        tokens_in=0,
        tokens_out=0,
        usd=0.0,
    )


def query_id(target_id: str, kind: str, generator: str, written: Written) -> str:
    """Return the id of a text: a digest of its row's id, its kind, its generator and its words."""
    parts = [target_id, kind, generator, written.text, written.structured or ""]
    if written.category is not None:
        parts.append(written.category)
    return digest_of_parts("query", parts)


class TextFindings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The findings of the checks that examine one text alone, and the values to be stated.

    The finding of a check that compares texts is None, because it is made later.
    """

    findings: tuple[Finding | None, ...] = ()
    required: tuple[Value, ...] = ()


def examine_text(step: AnyStep, step_input: Any, row: Query) -> TextFindings:
    """Run the checks that examine one text alone, and return their findings."""
    subject = _subject(step, step_input, row)
    findings = tuple(
        None if check.comparison else check.examine(subject) for check in checks_for(step.kind)
    )
    return TextFindings(findings, subject.required)


class Judge:
    """The checks for one kind of text in one run.

    Findings of checks that compare texts depend on the order of the texts.
    """

    def __init__(self, kind: str) -> None:
        self._examiners = [(check, check.examiner()) for check in checks_for(kind)]

    def decide(self, row: Query, text_findings: TextFindings) -> tuple[Query, list[Verdict]]:
        """Return the row with `kept` set, and one verdict for each check, sorted by name.

        `text_findings` has the findings of the checks that examine one text alone.
        """
        passes = all(finding is None or finding.kept for finding in text_findings.findings)
        subject = _comparable(row, text_findings.required, passes_alone=passes)
        verdicts: list[Verdict] = []
        for (check, examine), earlier_finding in zip(
            self._examiners, text_findings.findings, strict=True
        ):
            finding = earlier_finding or examine(subject)
            verdicts.append(
                Verdict(
                    target_id=row.query_id,
                    check=check.name,
                    kept=finding.kept,
                    reason=finding.reason,
                    score=None,
                    evidence=" ".join(finding.evidence.split()),
                )
            )
        is_kept = all(verdict.kept for verdict in verdicts)
        return msgspec.structs.replace(row, kept=is_kept), verdicts

    def remember(self, step: AnyStep, step_input: Any, row: Query) -> None:
        """Show a kept text of an earlier run to the checks that compare texts.

        They compare later texts with this text, too.
        """
        if not row.kept:
            return
        subject = _comparable(row, _subject(step, step_input, row).required)
        for check, examine in self._examiners:
            if check.comparison is not None:
                examine(subject)


def _comparable(row: Query, required: tuple[Value, ...], *, passes_alone: bool = True) -> Subject:
    """Return a text with only the data that checks need to compare it with other texts."""
    return Subject(row.query_id, row.kind, row.text, required=required, passes_alone=passes_alone)


def _subject(step: AnyStep, step_input: Any, row: Query) -> Subject:
    return step.subject(row.query_id, step_input, Written(row.text, row.structured, row.category))
