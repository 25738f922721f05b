"""The stage `generate` runs one step, which writes `queries` and `verdicts` about rows.

The stage writes its rows in input order. The completion log contains every reply that was paid
for, so a run after a killed one reads these replies from the log and pays for nothing twice.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchloom.core.errors import RunError
from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.stages import check_read
from flows.run.finished import FinishedStage
from flows.run.output import Result
from flows.run.runner import WholeStage, run_whole
from flows.stages.generate.outcome import GenerateProgress, Outcome, outcome_of
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.row_maker import OWN, BatchPool, CaseAndRow, RowMaker, batch_pool
from prompts.errors import ReplyError
from prompts.results.rows import AnyCase, Judge, Row, TextFindings, row_of
from prompts.steps import Grade, Written
from prompts.talks import Asker, Conversation

if TYPE_CHECKING:
    from flows.stages.generate.model import AnyDriver

MAX_WAITING = 1_024
"""Maximum number of finished rows of a model that wait for their checks."""


def conversation_of(
    plan: GeneratePlan, case: AnyCase | Rejected, asker: Asker
) -> Conversation[Written | Grade]:
    """Converse about a case (the input of one text); raise at the beginning for a rejected row."""
    if isinstance(case, Rejected):
        raise ReplyError(case.reason, case.message)
    return (yield from plan.attempts.converse(plan.definition(), case.input, asker))


def generate_rows(
    plan: GeneratePlan,
    out: Path,
    driver: "AnyDriver | None" = None,
    progress: GenerateProgress | None = None,
    batch_pool: BatchPool = OWN,
) -> FinishedStage:
    """Write the rows of a plan to the folder `out`, unless it already contains them.

    Without a driver the template writer makes the rows.

    Raises:
        RunError: `out` is not a folder for this step.
        BudgetError: the maximum cost was reached; run again with a higher cap to continue.
    """
    if out.resolve() == plan.source.resolve():
        raise RunError(f"{out} is both the input and the output; pass another folder with --out")
    return run_whole(prepare(plan, driver, progress, batch_pool), out)


def run_template(
    plan: GeneratePlan, out: Path, progress: GenerateProgress | None = None, workers: int = 1
) -> Outcome:
    """Write the texts of a plan with templates, and return the outcome of the run."""
    with batch_pool(workers) as pool:
        finished = generate_rows(plan, out, None, progress, pool)
    return outcome_of(finished)


def prepare(
    plan: GeneratePlan,
    driver: "AnyDriver | None" = None,
    progress: GenerateProgress | None = None,
    batch_pool: BatchPool = OWN,
) -> WholeStage:
    """Build the stage that writes the rows of a plan, with a model if there is a driver."""
    return WholeStage(
        name=plan.stage(),
        tables=plan.tables(),
        write=partial(write_rows, plan, driver, progress, batch_pool),
        decides=plan.decides(),
    )


def write_rows(
    plan: GeneratePlan,
    driver: "AnyDriver | None",
    progress: GenerateProgress | None,
    batch_pool: BatchPool,
    result: Result,
) -> None:
    """Write the row about each input row of a plan, in input order, with the verdicts on its text.

    Raises:
        BalanceError: an input row gave no row.
    """
    planned = 0

    def counted_cases() -> Iterator[AnyCase | Rejected]:
        nonlocal planned
        for case in cases_of(plan):
            planned += 1
            yield case

    writer, maker = _RowWriter(plan, result, progress), RowMaker(plan, batch_pool)
    if driver is None:
        _add(((case, None) for case in counted_cases()), maker, writer)
    else:
        asyncio.run(_converse(plan, driver, counted_cases(), maker, writer))
    check_read(plan.stage(), planned, result.objects)


class _RowWriter:
    """Writes rows in order, with the verdicts of the checks that compare texts with each other."""

    def __init__(
        self, plan: GeneratePlan, result: Result, progress: GenerateProgress | None
    ) -> None:
        self._judge = Judge(plan.definition().kind)
        self._result = result
        self._progress = progress

    def add(self, row: Row, text_findings: TextFindings) -> None:
        """Write a row; a text is first judged by the checks that compare it with earlier texts."""
        if isinstance(row, Query):
            row, verdicts = self._judge.decide(row, text_findings)
            self._result.add("queries", row)
            self._result.add_all("verdicts", verdicts)
        elif isinstance(row, Verdict):
            self._result.add("verdicts", row)
        else:
            self._result.reject(row)
        self._result.objects += 1
        if self._progress is not None:
            self._progress.count(row)


def _add(requests: Iterable[CaseAndRow], maker: RowMaker, writer: _RowWriter) -> None:
    for _, row, text_findings in maker.rows(requests):
        writer.add(row, text_findings)


async def _converse(
    plan: GeneratePlan,
    driver: "AnyDriver",
    cases: Iterator[AnyCase | Rejected],
    maker: RowMaker,
    writer: _RowWriter,
) -> None:
    """Converse with a model about all cases, and write the row of every conversation in order.

    If conversations end during the check of earlier ones, they wait and are checked together.
    """
    step = plan.definition()
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
