"""Runs the checks of a kind over texts in order and makes their verdicts."""

from collections.abc import Sequence
from typing import Any

import msgspec

from benchloom.core.records import Query, Verdict
from prompts.checks import checks_for
from prompts.checks.base import Finding
from prompts.steps import AnyStep
from prompts.steps.base import Written
from prompts.subject import Subject, Value, compared


class Looked(msgspec.Struct, frozen=True, omit_defaults=True):
    """The findings of one text judged alone, and the values that it has to state.

    A finding is None for a check that compares texts.
    """

    findings: tuple[Finding | None, ...] = ()
    required: tuple[Value, ...] = ()


class Judge:
    """The checks of one kind for one run; checks that compare texts depend on their order."""

    def __init__(self, kind: str) -> None:
        self._examiners = [(check, check.examiner()) for check in checks_for(kind)]

    def judged(self, step: AnyStep, step_input: Any, row: Query) -> tuple[Query, list[Verdict]]:
        """Return a text, marked as kept or not by its verdicts, and the verdicts."""
        return self.judged_before(step, row, self.alone(step, step_input, row))

    def judged_before(
        self, step: AnyStep, row: Query, looked: Looked
    ) -> tuple[Query, list[Verdict]]:
        """Like `judged`, for a text whose result of `alone` is already known."""
        passes = all(finding is None or finding.kept for finding in looked.findings)
        subject = Subject(
            row.query_id, step.kind, row.text, required=looked.required, passes_alone=passes
        )
        verdicts = self._verdicts(subject, looked.findings)
        is_kept = all(verdict.kept for verdict in verdicts)
        return msgspec.structs.replace(row, kept=is_kept), verdicts

    def alone(self, step: AnyStep, step_input: Any, row: Query) -> Looked:
        """Run each check that judges a text by itself."""
        subject = _subject(step, step_input, row)
        findings = tuple(
            None if check.across_texts() else examine(subject) for check, examine in self._examiners
        )
        return Looked(findings, subject.required)

    def _verdicts(self, subject: Subject, findings: Sequence[Finding | None]) -> list[Verdict]:
        """One verdict per check, in the order of their names."""
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
        """Add a text that an earlier run kept, for the checks that compare texts."""
        if not row.kept:
            return
        subject = compared(_subject(step, step_input, row))
        for check, examine in self._examiners:
            if check.across_texts():
                examine(subject)


def _subject(step: AnyStep, step_input: Any, row: Query) -> Subject:
    return step.subject(row.query_id, step_input, Written(row.text, row.structured, row.category))
