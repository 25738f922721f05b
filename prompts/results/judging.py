"""Runs the checks of one kind of text, in order, and returns their verdicts."""

from collections.abc import Sequence
from typing import Any

import msgspec

from benchloom.core.records import Query, Verdict
from prompts.checks import Finding, checks_for
from prompts.steps import AnyStep, Written
from prompts.subject import Subject, Value, compared


class Looked(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results of the checks that need only one text, and the values the text must state.

    The finding of a check that compares texts is None.
    """

    findings: tuple[Finding | None, ...] = ()
    required: tuple[Value, ...] = ()


class Judge:
    """The checks of one kind of text in one run.

    Results of checks that compare texts depend on the order of the texts.
    """

    def __init__(self, kind: str) -> None:
        self._examiners = [(check, check.examiner()) for check in checks_for(kind)]

    def judged(self, step: AnyStep, step_input: Any, row: Query) -> tuple[Query, list[Verdict]]:
        """Run all checks on a text; return the row, with `kept` set, and the verdicts."""
        return self.judged_before(step, row, self.alone(step, step_input, row))

    def judged_before(
        self, step: AnyStep, row: Query, looked: Looked
    ) -> tuple[Query, list[Verdict]]:
        """Like `judged`, but use the earlier result of `alone` for this text."""
        passes = all(finding is None or finding.kept for finding in looked.findings)
        subject = Subject(
            row.query_id, step.kind, row.text, required=looked.required, passes_alone=passes
        )
        verdicts = self._verdicts(subject, looked.findings)
        is_kept = all(verdict.kept for verdict in verdicts)
        return msgspec.structs.replace(row, kept=is_kept), verdicts

    def alone(self, step: AnyStep, step_input: Any, row: Query) -> Looked:
        """Run each check that needs only this text."""
        subject = _subject(step, step_input, row)
        findings = tuple(
            None if check.across_texts() else examine(subject) for check, examine in self._examiners
        )
        return Looked(findings, subject.required)

    def _verdicts(self, subject: Subject, findings: Sequence[Finding | None]) -> list[Verdict]:
        """Return one verdict per check, ordered by the names of the checks."""
        verdicts: list[Verdict] = []
        for (check, examine), finding_known in zip(self._examiners, findings, strict=True):
            finding = finding_known or examine(subject)
            verdicts.append(
                Verdict(
                    target_id=subject.query_id,
                    check=check.name,
                    kept=finding.kept,
                    reason=finding.reason,
                    score=None,
                    evidence=" ".join(finding.evidence.split()),
                )
            )
        return verdicts

    def remember(self, step: AnyStep, step_input: Any, row: Query) -> None:
        """Pass a text that an earlier run kept to the checks that compare texts."""
        if not row.kept:
            return
        subject = compared(_subject(step, step_input, row))
        for check, examine in self._examiners:
            if check.across_texts():
                examine(subject)


def _subject(step: AnyStep, step_input: Any, row: Query) -> Subject:
    return step.subject(row.query_id, step_input, Written(row.text, row.structured, row.category))
