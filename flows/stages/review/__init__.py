"""The stage `review` turns reviewers' answers about texts into verdicts and new texts.

A release identifies a person only by a number. An answer about a text that is not in the release,
or that cannot be used, becomes a row of `rejected`.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchloom.core.records import Rejected, Verdict
from benchloom.release.review import REASONS, Answer, keeps
from benchloom.release.review.readers import EDITED, REPLACEMENT, Reader, readers_of
from benchloom.storage.inputs import SourceFile
from flows.run.finished import FinishedStage, open_stage
from flows.run.output import Result
from flows.run.runner import WholeStage, run_whole_below
from flows.stages.review.wordings import STAGE, Wordings, types_of_steps


def reviewed(answers: Path, stages: Sequence[Path], workspace: Path) -> FinishedStage | None:
    """Run the stage with the answers in a folder, or return None if there are no answers.

    Raises:
        RunError: an answer is damaged, or a folder contains no finished stage.
    """
    readers = readers_of(answers)
    if not any(reader.answers for reader in readers):
        return None
    stage = WholeStage(
        name=STAGE,
        tables=("queries", "verdicts", "rejected"),
        write=partial(write_answers, readers, stages),
        decides=_decides(readers, stages),
    )
    return run_whole_below(workspace, f"reviewed/{STAGE}", stage)


def write_answers(readers: Sequence[Reader], stages: Sequence[Path], result: Result) -> None:
    """Write the tables `queries`, `verdicts` and `rejected` from reviewers' answers about texts."""
    wordings = Wordings(stages, readers)
    verdicts = list(wordings.verdicts)
    rejected = list(wordings.refused)
    objects = len(wordings.replaced) + len(wordings.refused)
    for reader in readers:
        for answer in reader.answers:
            objects += 1
            if answer.query_id in wordings.texts:
                new = wordings.replaced.get((reader.pseudonym, answer.query_id))
                verdicts.append(_verdict(reader, answer, new))
            else:
                message = "no released text has this id"
                rejected.append(
                    Rejected(STAGE, reader.location, "unknown_text", message, answer.query_id)
                )
    verdicts.sort(key=lambda row: (row.target_id, row.check))
    rejected.sort(key=lambda row: (row.source_uri, row.reason, row.digest))
    queries = sorted(
        wordings.new_texts.values(), key=lambda row: (row.kind, row.target_id, row.query_id)
    )
    result.add_all("queries", queries)
    result.add_all("verdicts", verdicts)
    for row in rejected:
        result.reject(row)
    result.objects = objects
    result.sources = [SourceFile(reader.location, reader.digest, reader.size) for reader in readers]


def _verdict(reader: Reader, answer: Answer, new: str | None) -> Verdict:
    is_accepted = keeps(answer)
    if is_accepted:
        reason, evidence = "ok", "a person accepted the text"
    else:
        reason = answer.reason or EDITED
        evidence = REASONS.get(reason, "A person proposed another wording.")
        if new is not None:
            evidence += REPLACEMENT + new
    return Verdict(
        target_id=answer.query_id,
        check=reader.check,
        kept=is_accepted,
        reason=reason,
        score=None,
        evidence=evidence,
    )


def _decides(readers: Sequence[Reader], stages: Sequence[Path]) -> list[str]:
    """Return everything that determines the rows: the answers, the texts, and the steps we know."""
    return [
        *(part for reader in readers for part in (reader.pseudonym, reader.digest)),
        *(open_stage(folder).key for folder in stages),
        *(f"{step.__module__}:{step.__qualname__}" for step in types_of_steps()),
    ]
