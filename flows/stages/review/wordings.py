"""Judge the texts that people wrote to replace other texts, by the same rules as other texts."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.normalise.redaction import redact_text
from benchloom.release.review import wording_of
from benchloom.release.review.readers import Reader
from benchloom.storage.tables import iter_records, table_parts
from flows.stages.generate.plan import GeneratePlan, cases_of
from prompts.results.rows import Judge, examine_text, reworded
from prompts.steps import STEPS, AnyStep

STAGE = "review"
SOURCES = ("shortcuts", "planning_paths")
"""Tables whose rows can be the subjects of texts that rules can check."""


class Wordings:
    """The texts that reviewers judged, and the texts that reviewers wrote as replacements.

    `texts` are the judged texts, `new_texts` the replacements, and `verdicts` the verdicts of rules
    on the replacements. `refused` are the replacements that are not accepted, with their reason.
    """

    def __init__(self, stages: Sequence[Path], readers: Sequence[Reader]) -> None:
        self._stages = stages
        spoken = {answer.query_id for reader in readers for answer in reader.answers}
        self.texts: dict[str, Query] = {}
        self._there: set[str] = set()
        for row in self._texts():
            self._there.add(row.query_id)
            if row.query_id in spoken:
                self.texts[row.query_id] = row
        self.new_texts: dict[str, Query] = {}
        self.verdicts: list[Verdict] = []
        self.refused: list[Rejected] = []
        self.replaced: dict[tuple[str, str], str] = {}
        """A mapping from the author's pseudonym and the id of the old text to the new id."""
        self._collect(readers)
        for kind in sorted({row.kind for row in self.new_texts.values()}):
            self._judge(kind)

    def _texts(self) -> Iterable[Query]:
        for folder in self._stages:
            if table_parts(folder, "queries"):
                yield from iter_records(folder, "queries", Query)

    def _collect(self, readers: Sequence[Reader]) -> None:
        """Collect the new texts, including those that replace another person's new text."""
        waiting = [
            (reader, answer.query_id, wording)
            for reader in readers
            for answer in reader.answers
            if (wording := wording_of(answer)) is not None
        ]
        while ready := [entry for entry in waiting if entry[1] in self.texts]:
            waiting = [entry for entry in waiting if entry[1] not in self.texts]
            for reader, text_id, wording in ready:
                self._take(reader, self.texts[text_id], wording)

    def _take(self, reader: Reader, row: Query, wording: str) -> None:
        new = reworded(row, wording)
        if step_of(row.kind) is None:
            self._refuse(reader, row, "not_checked", f"no rule checks texts of the kind {row.kind}")
        elif redact_text(wording).kinds:
            self._refuse(reader, row, "personal_data", "the text contains secrets or personal data")
        else:
            self.replaced[reader.pseudonym, row.query_id] = new.query_id
            self.texts.setdefault(new.query_id, new)
            if new.query_id not in self._there:  # else another text has the same wording
                self.new_texts.setdefault(new.query_id, new)

    def _refuse(self, reader: Reader, row: Query, reason: str, message: str) -> None:
        self.refused.append(Rejected(STAGE, reader.location, reason, message, row.query_id))

    def _judge(self, kind: str) -> None:
        """Judge the new texts of a kind by the rules, which may compare them with other texts."""
        step = step_of(kind)
        source = None if step is None else _holder(self._stages, step.reads[0])
        new_rows = {query_id: row for query_id, row in self.new_texts.items() if row.kind == kind}
        if step is None or source is None:
            self._without_source(new_rows)
            return
        other_texts: dict[str, list[Query]] = {}
        replaced = {old_id for _, old_id in self.replaced}
        for row in self._texts():
            if row.kind == kind and row.query_id not in replaced:
                other_texts.setdefault(row.target_id, []).append(row)
        judge = Judge(kind)
        targets = {row.target_id for row in new_rows.values()}
        case_inputs: dict[str, object] = {}
        for case in cases_of(GeneratePlan(step=step.name, source=source)):
            if isinstance(case, Rejected):
                continue
            for row in other_texts.get(case.target_id, ()):
                judge.remember(step, case.input, row)
            if case.target_id in targets:
                case_inputs[case.target_id] = case.input
        # A wording that was reworded again comes last, because it resembles its replacement.
        for row in sorted(
            new_rows.values(),
            key=lambda row: (row.query_id in replaced, row.target_id, row.query_id),
        ):
            if row.target_id in case_inputs:
                text_findings = examine_text(step, case_inputs[row.target_id], row)
                judged_row, verdicts = judge.decide(row, text_findings)
                self.new_texts[row.query_id] = judged_row
                self.verdicts += verdicts
        self._without_source(
            {
                query_id: row
                for query_id, row in new_rows.items()
                if row.target_id not in case_inputs
            }
        )

    def _without_source(self, rows: dict[str, Query]) -> None:
        """Reject new texts whose source row is missing, because no rule can check them."""
        for (reader, old_id), new in sorted(self.replaced.items()):
            if new in rows:
                del self.replaced[reader, old_id]
                message = "its target row is missing, so that no rule can check the text"
                self.refused.append(
                    Rejected(STAGE, f"reviews/{reader}.jsonl", "no_source", message, old_id)
                )
        for query_id in rows:
            self.new_texts.pop(query_id, None)


def step_of(kind: str) -> AnyStep | None:
    """Return the step that writes this kind of text about rows of a table in `SOURCES`, or None."""
    return next(
        (
            step
            for step in STEPS.all().values()
            if step.kind == kind and not step.judges and step.reads[0] in SOURCES
        ),
        None,
    )


def _holder(stages: Sequence[Path], table: str) -> Path | None:
    return next((folder for folder in stages if table_parts(folder, table)), None)


def types_of_steps() -> list[type[AnyStep]]:
    """Return the types of the LLM steps whose checks also apply to texts that people wrote."""
    kinds = sorted({step.kind for step in STEPS.all().values()})
    return [type(step) for kind in kinds if (step := step_of(kind)) is not None]
