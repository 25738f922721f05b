"""Chunks of a generating run: rows in order, judged as they come, written a chunk at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.tables.reading import records_in
from flows.run.chunks import Chunks
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.progress import GenerateProgress
from prompts.results.judging import Judge, Looked
from prompts.results.rows import AnyCase, Row
from prompts.steps.base import Case


class ChunkWriter:
    """Collects rows and writes them as chunks of a stage."""

    def __init__(
        self, plan: GeneratePlan, chunks: Chunks, judge: Judge, progress: GenerateProgress | None
    ) -> None:
        self._plan = plan
        self._step = plan.found()
        self._chunks = chunks
        self._judge = judge
        self._progress = progress
        self._rows: list[Row] = []
        self._verdicts: list[Verdict] = []
        self._ended = False

    def skip_written(self, cases: Iterator[AnyCase | Rejected]) -> Iterator[AnyCase | Rejected]:
        """Skip the cases whose rows an earlier run wrote; return the cases after them.

        The texts of that run are remembered for the checks across texts.
        """
        for chunk in self._chunks.earlier():
            skipped = islice(cases, chunk.objects)
            case_inputs = {case.target_id: case.given for case in skipped if isinstance(case, Case)}
            path = chunk.files.get("queries")
            for row in records_in(path, "queries", Query) if path is not None else ():
                if row.target_id in case_inputs:
                    self._judge.remember(self._step, case_inputs[row.target_id], row)
            if self._progress is not None:
                self._progress.skip(chunk.objects)
            if chunk.objects < self._plan.rows_at_once():
                self._ended = True
                return iter(())
        return cases

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
        """Write the collected rows as a chunk, and start the next chunk."""
        rejected = [row for row in self._rows if isinstance(row, Rejected)]
        verdicts = [row for row in self._rows if isinstance(row, Verdict)]
        rows: dict[str, Sequence[msgspec.Struct]] = {
            "queries": [row for row in self._rows if isinstance(row, Query)],
            "verdicts": [*self._verdicts, *verdicts],
            "rejected": rejected,
        }
        reasons = Counter(row.reason for row in rejected)
        self._chunks.write(rows, len(self._rows), reasons)
        self._rows, self._verdicts = [], []

    def finish(self) -> None:
        """Write the remaining rows as the last, shorter chunk."""
        if not self._ended:
            self._write()
