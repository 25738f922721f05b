"""Stage generate: rows of earlier stages to `queries` and `verdicts` by one LLM step.

The stage writes chunks of rows in input order. A killed run keeps its finished chunks, and the
completion log keeps every reply that was paid for, so a second run continues where the first
ended and pays for nothing twice.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from pathlib import Path

from benchloom.core.records import Rejected
from flows.run.chunks import Chunks
from flows.run.finished import FinishedStage
from flows.stages.generate.batches import CaseAndRow
from flows.stages.generate.chunks import ChunkWriter
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.progress import GenerateProgress
from flows.stages.generate.row_maker import OWN, Hands, Making, making
from prompts.errors import ReplyError
from prompts.results.judging import Judge
from prompts.results.rows import AnyCase, row_of
from prompts.steps.base import Grade, Written
from prompts.talks.conversation import Asker, Conversation
from prompts.talks.driver import Driver

MAX_WAITING = 1_024
"""Rows of a model that may wait for being looked at."""
AnyDriver = Driver[AnyCase | Rejected, Written | Grade]


def conversation_of(
    plan: GeneratePlan, case: AnyCase | Rejected, asker: Asker
) -> Conversation[Written | Grade]:
    """The conversation of a case; for a rejected row it ends before any request."""
    if isinstance(case, Rejected):
        raise ReplyError(case.reason, case.message)
    return (yield from plan.attempts.converse(plan.found(), case.given, asker))


def generate_rows(
    plan: GeneratePlan,
    out: Path,
    driver: AnyDriver | None = None,
    progress: GenerateProgress | None = None,
    hands: Hands = OWN,
) -> FinishedStage:
    """Write the rows of a plan into `out`; finished chunks of an earlier run are kept.

    Without a driver the template writer makes the rows. Rows of the template writer and of a
    model are never mixed, since the model is part of the key.

    Raises:
        RunError: `out` is not a folder for this step.
        BudgetError: the cap was reached; run again with a higher cap to continue.
    """
    step = plan.found()
    chunks = Chunks(out, plan.stage(), plan.tables(), plan.decides())
    finished = chunks.finished()
    if finished is not None:
        return finished
    chunks.begin(plan.source)
    writer = ChunkWriter(plan, chunks, Judge(step.kind), progress)
    read = _CountedCases(cases_of(plan))
    cases = writer.skip_written(read)
    with making(plan, out, hands) as maker:
        if driver is None:
            _add(((case, None) for case in cases), maker, writer)
        else:
            asyncio.run(_converse(plan, driver, cases, maker, writer))
    writer.finish()
    return chunks.finish(read.count, () if step.judges else ("queries",))


class _CountedCases:
    """An iterator over cases that counts how many were taken."""

    def __init__(self, cases: Iterator[AnyCase | Rejected]) -> None:
        self._cases = cases
        self.count = 0

    def __iter__(self) -> Iterator[AnyCase | Rejected]:
        return self

    def __next__(self) -> AnyCase | Rejected:
        case = next(self._cases)
        self.count += 1
        return case


def _add(requests: Iterable[CaseAndRow], maker: Making, writer: ChunkWriter) -> None:
    """Make or check the row of every case, and add the rows in order."""
    for case, row, looked in maker.made(requests):
        writer.add(case, row, looked)


async def _converse(
    plan: GeneratePlan,
    driver: AnyDriver,
    cases: Iterator[AnyCase | Rejected],
    maker: Making,
    writer: ChunkWriter,
) -> None:
    """Add the row of every conversation in order.

    Conversations that end while earlier ones are checked wait and are then checked together.
    """
    step = plan.found()
    waiting: list[CaseAndRow] = []
    adding: asyncio.Task[None] | None = None
    async with aclosing(driver.talks(cases)) as talks:
        async for case, talk in talks:
            row = case if isinstance(case, Rejected) else row_of(step, case, talk)
            waiting.append((case, row))
            if adding is None or adding.done() or len(waiting) >= MAX_WAITING:
                if adding is not None:
                    await adding
                adding = asyncio.create_task(asyncio.to_thread(_add, waiting, maker, writer))
                waiting = []
    if adding is not None:
        await adding
    _add(waiting, maker, writer)
