"""Stage review: answers of people about texts become verdicts, and their wordings become texts.

Of a person a release tells a number and nothing else. Nothing that was answered is lost: what is
about no text of the release, or cannot be taken, is a row of `rejected`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.inputs import SourceFile
from benchloom.memory.code import stage_key
from benchloom.records import Rejected, Verdict
from benchloom.reviewing import REASONS, Answer, Reader, readers_of
from benchloom.reviewing.answers import keeps
from benchloom.reviewing.readers import EDITED, IN_ITS_PLACE
from benchloom.tables import write_table
from benchloom.workspace import StageMark, read_mark, sound_mark, stage_folder, write_mark
from flows.stages.review.wordings import Wordings, types_of_steps
from flows.stages.sharded import stage_path
from flows.stages.stage_choice import no_stage

STAGE = "review"


def reviewed(answers: Path, stages: Sequence[Path], workspace: Path) -> list[Path]:
    """The folder of what people said about the texts of finished stages; none if nothing.

    Raises:
        RunError: an answer is damaged, or a folder holds no finished stage.
    """
    readers = readers_of(answers)
    if not any(reader.answers for reader in readers):
        return []
    key = _key(readers, stages)
    out = stage_path(workspace / "reviewed", STAGE, key)
    mark = read_mark(out)
    if mark is None or mark.key != key or sound_mark(out) is None:
        review_to_folder(readers, stages, out)
    return [out]


def review_to_folder(readers: Sequence[Reader], stages: Sequence[Path], out: Path) -> StageMark:
    """Write `queries`, `verdicts` and `rejected` of what people said about the texts of stages."""
    found = Wordings(stages, readers)
    verdicts = list(found.verdicts)
    rejected = list(found.refused)
    objects = len(found.replaced) + len(found.refused)
    for reader in readers:
        for answer in reader.answers:
            objects += 1
            if answer.query_id in found.known:
                new = found.replaced.get((reader.pseudonym, answer.query_id))
                verdicts.append(_verdict(reader, answer, new))
            else:
                message = "no text that is released has this id"
                rejected.append(
                    Rejected(STAGE, reader.place, "unknown_text", message, answer.query_id)
                )
    verdicts.sort(key=lambda one: (one.target_id, one.check))
    rejected.sort(key=lambda one: (one.source_uri, one.reason, one.digest))
    queries = sorted(found.given.values(), key=lambda one: (one.kind, one.target_id, one.query_id))
    rows: dict[str, Sequence[msgspec.Struct]] = {
        "queries": queries,
        "verdicts": verdicts,
        "rejected": rejected,
    }
    with stage_folder(out, STAGE) as folder:
        written = {
            table: write_table(table, records, folder / f"{table}.parquet")
            for table, records in rows.items()
        }
        return write_mark(
            folder,
            StageMark(
                stage=STAGE,
                key=_key(readers, stages),
                objects=objects,
                rows=written,
                reasons=dict(sorted(Counter(row.reason for row in rejected).items())),
                sources=tuple(SourceFile(one.place, one.digest, one.size) for one in readers),
            ),
        )


def _verdict(reader: Reader, answer: Answer, new: str | None) -> Verdict:
    kept = keeps(answer)
    if kept:
        reason, evidence = "ok", "a person accepted it"
    else:
        reason = answer.reason or EDITED
        evidence = REASONS.get(reason, "A person would word it otherwise.")
        if new is not None:
            evidence += IN_ITS_PLACE + new
    return Verdict(
        target_id=answer.query_id,
        check=reader.check,
        kept=kept,
        reason=reason,
        score=None,
        evidence=evidence,
    )


def _key(readers: Sequence[Reader], stages: Sequence[Path]) -> str:
    parts = [part for reader in readers for part in (reader.pseudonym, reader.digest)]
    for folder in stages:
        mark = sound_mark(folder)
        if mark is None:
            raise no_stage(folder)
        parts.append(mark.key)
    return stage_key(STAGE, parts, given=types_of_steps())
