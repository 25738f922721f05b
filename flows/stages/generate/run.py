"""Stage generate: rows of earlier stages to `queries` and `verdicts` by one LLM step.

The stage writes chunks of rows in input order. A killed run keeps its finished chunks, and the
completion log keeps every reply that was paid for, so a second run continues where the first
ended and pays for nothing twice.
"""

import asyncio
import itertools
import shutil
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from pathlib import Path

import msgspec

from benchloom.core.balance import Balance
from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from benchloom.storage.stages import SHARDS, drop_parts, finish_stage, merge_parts, read_shard_mark
from benchloom.storage.workspace import (
    STAGE_FILE,
    StageMark,
    read_mark,
    refuse_output,
    remove_leftovers,
    valid_mark,
    write_file,
    write_mark,
)
from flows.stages.generate.batches import CaseAndRow
from flows.stages.generate.chunks import ChunkWriter
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.progress import GenerateProgress
from flows.stages.generate.row_maker import OWN, Hands, Making, drop_batches, making
from prompts.errors import ReplyError
from prompts.results.judging import Judge
from prompts.results.rows import AnyCase, row_of
from prompts.steps.base import Grade, Written
from prompts.talks.conversation import Asker, Conversation
from prompts.talks.driver import Driver

KEY_FILE = "generate.key"
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


def generate_to_folder(
    plan: GeneratePlan,
    out: Path,
    driver: AnyDriver | None = None,
    progress: GenerateProgress | None = None,
    hands: Hands = OWN,
) -> StageMark:
    """Write the rows of a plan into `out`; finished chunks of an earlier run are kept.

    Without a driver the template writer makes the rows. Rows of the template writer and of a
    model are never mixed, since the model is part of the key.

    Raises:
        RunError: `out` is not a folder for this step.
        BudgetError: the cap was reached; run again with a higher cap to continue.
    """
    key = plan.key()
    done = read_mark(out)
    if done is not None and done.key == key:
        if (out / SHARDS).is_dir():
            drop_parts(out, plan.tables())  # the run before this one was killed doing so
        done = valid_mark(out)
    if done is None or done.key != key or done.stage != plan.stage():
        _prepare(out, plan, key)
        judge = Judge(plan.found().kind)
        writer = ChunkWriter(plan, out, judge, progress)
        read = _CountedCases(cases_of(plan))
        cases = _skip_done_chunks(plan, read, writer)
        with making(plan, out, hands) as maker:
            if driver is None:
                _add(((case, None) for case in cases), maker, writer)
            else:
                asyncio.run(_converse(plan, driver, cases, maker, writer))
        count = writer.finish()
        merge_parts(out, plan.tables())
        balance = Balance(read.count, () if plan.found().judges else ("queries",))
        done = finish_stage(
            out, plan.stage(), key, count, others=_others(out, plan), balance=balance
        )
        drop_parts(out, plan.tables())
        done = write_mark(out, msgspec.structs.replace(done, others=tuple(_others(out, plan))))
    return done


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


def _others(out: Path, plan: GeneratePlan) -> list[str]:
    """Names in the folder other than the stage's final files, including temporary ones."""
    own_files = {KEY_FILE, STAGE_FILE, *(f"{table}.parquet" for table in plan.tables())}
    return sorted(path.name for path in out.iterdir() if path.name not in own_files)


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


def _prepare(out: Path, plan: GeneratePlan, key: str) -> None:
    """Empty the folder, unless it holds an unfinished run of the same plan."""
    refuse_output(out)
    if out.resolve() == plan.source.resolve():
        raise RunError(f"{out} is both the input and the output; give --out another folder")
    mark = read_mark(out)
    if mark is not None and mark.stage != plan.stage():
        raise RunError(f"{out} holds the result of '{mark.stage}'; choose another folder")
    note = out / KEY_FILE
    if mark is None and note.is_file() and note.read_text() == key:
        for folder in (out, out / SHARDS, *(out / table for table in plan.tables())):
            remove_leftovers(folder)
        drop_batches(out)
        return
    drop_batches(out)
    (out / "stage.json").unlink(missing_ok=True)
    shutil.rmtree(out / SHARDS, ignore_errors=True)
    for table in plan.tables():
        shutil.rmtree(out / table, ignore_errors=True)
        (out / f"{table}.parquet").unlink(missing_ok=True)
    write_file(note, key.encode())


def _skip_done_chunks(
    plan: GeneratePlan, cases: Iterator[AnyCase | Rejected], writer: ChunkWriter
) -> Iterator[AnyCase | Rejected]:
    """Skip the chunks that an earlier run finished; return the cases after them."""
    while (mark := read_shard_mark(writer.out, writer.number)) is not None:
        writer.skip(mark, itertools.islice(cases, mark.objects))
        if mark.objects < plan.rows_at_once():
            return iter(())
    return cases
