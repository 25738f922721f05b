"""Runs the checks of a kind over texts in order and makes their verdicts."""

from typing import Any

import msgspec

from benchloom.records import Query, Verdict
from prompts.checks import checks_for
from prompts.steps import AnyStep
from prompts.steps.base import Written
from prompts.subject import Subject


class Judge:
    """The checks of one kind for one run; the order of texts matters to those across texts."""

    def __init__(self, kind: str) -> None:
        self._examiners = [(check, check.examiner()) for check in checks_for(kind)]

    def judged(self, step: AnyStep, given: Any, row: Query) -> tuple[Query, list[Verdict]]:
        """A text with what its verdicts say together, and the verdicts; `given` is its input."""
        verdicts = self.verdicts(_subject(step, given, row))
        kept = all(verdict.kept for verdict in verdicts)
        return msgspec.structs.replace(row, kept=kept), verdicts

    def verdicts(self, subject: Subject) -> list[Verdict]:
        """One verdict per check, in the order of their names."""
        made: list[Verdict] = []
        for check, examine in self._examiners:
            finding = examine(subject)
            made.append(
                Verdict(
                    target_id=subject.query_id,
                    check=check.name,
                    kept=finding.kept,
                    reason=finding.reason,
                    score=None,
                    evidence=" ".join(finding.evidence.split()),
                )
            )
        return made

    def remember(self, step: AnyStep, given: Any, row: Query) -> None:
        """Take in a text that an earlier run judged, for the checks across texts."""
        subject = _subject(step, given, row)
        for check, examine in self._examiners:
            if check.across_texts():
                examine(subject)


def _subject(step: AnyStep, given: Any, row: Query) -> Subject:
    return step.subject(row.query_id, given, Written(row.text, row.structured, row.category))
