"""Chunks of a generating run: rows in order, judged as they come, written a chunk at a time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.stages import ShardMark, part_path, write_shard_mark
from benchloom.storage.tables import TableWriter
from benchloom.storage.tables.reading import records_in
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.progress import GenerateProgress
from prompts.results.judging import Judge, Looked
from prompts.results.rows import AnyCase, Row
from prompts.steps.base import Case


class ChunkWriter:
    """Collects rows; `number` is the chunk that is being filled."""

    def __init__(
        self, plan: GeneratePlan, out: Path, judge: Judge, progress: GenerateProgress | None
    ) -> None:
        self._plan = plan
        self._step = plan.found()
        self.out = out
        self._judge = judge
        self._progress = progress
        self.number = 0
        self._rows: list[Row] = []
        self._verdicts: list[Verdict] = []
        self._ended = False

    def skip(self, mark: ShardMark, cases: Iterable[AnyCase | Rejected]) -> None:
        """Skip a finished chunk, remembering its texts for the checks across texts.

        `cases` are the cases from which the chunk was made.
        """
        path = part_path(self.out, "queries", mark.number)
        case_inputs = {case.target_id: case.given for case in cases if isinstance(case, Case)}
        for row in records_in(path, "queries", Query) if path.is_file() else ():
            if row.target_id in case_inputs:
                self._judge.remember(self._step, case_inputs[row.target_id], row)
        self.number += 1
        self._ended = mark.objects < self._plan.rows_at_once()
        if self._progress is not None:
            self._progress.skip(mark)

    def add(self, case: AnyCase | Rejected, row: Row, looked: Looked) -> None:
        """Add a row, judge it, and write the chunk once it is full.

        `looked` contains the findings of the checks that read only one text.
        """
        is_kept: bool | None = None
        if isinstance(row, Query) and not isinstance(case, Rejected):
            row, verdicts = self._judge.judged_before(self._step, row, looked)
            self._verdicts += verdicts
            is_kept = row.kept
        elif isinstance(row, Verdict):
            is_kept = row.kept
        self._rows.append(row)
        if self._progress is not None:
            self._progress.row(kept=is_kept)
        if len(self._rows) >= self._plan.rows_at_once():
            self._write()

    def _write(self) -> None:
        """Write the collected rows and start the next chunk."""
        _write_chunk(self._plan, self.out, self.number, self._rows, self._verdicts)
        self.number += 1
        self._rows, self._verdicts = [], []

    def finish(self) -> int:
        """Write the remaining rows as the last, shorter chunk; return the number of chunks."""
        if not self._ended:
            self._write()
        return self.number


def _write_chunk(
    plan: GeneratePlan, out: Path, number: int, rows: list[Row], verdicts: list[Verdict]
) -> None:
    """Write the files of one chunk, then its mark."""
    texts = [row for row in rows if isinstance(row, Query)]
    rejected = [row for row in rows if isinstance(row, Rejected)]
    verdicts = [*verdicts, *(row for row in rows if isinstance(row, Verdict))]
    by_table: dict[str, Sequence[msgspec.Struct]] = {
        "queries": texts,
        "verdicts": verdicts,
        "rejected": rejected,
    }
    for table in plan.tables():
        with TableWriter(table, part_path(out, table, number)) as writer:
            for row in by_table[table]:
                writer.add(row)
    mark = ShardMark(
        number=number,
        objects=len(rows),
        rows={table: len(by_table[table]) for table in plan.tables()},
        reasons=dict(Counter(row.reason for row in rejected)),
    )
    write_shard_mark(out, mark)
