"""The stage `tasks` draws candidates of tasks in a suite of worlds, and proves each by replay.

Other processes run the proofs, many in each process. This process runs every plan once more, to
check that each task has the same result in two processes. The stage writes `tasks`, and `rejected`
with the failed proofs.
"""

import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.progress import UnderWay
from benchloom.core.records import Rejected
from benchloom.core.records import Task as TaskRow
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.storage.inputs import SourceFile, list_objects, source_files
from benchloom.worlds.proofs import OpenWorlds, confirm, prove, row_of
from benchloom.worlds.proofs.secrets import secrets_in
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Candidate, Task
from benchloom.worlds.task_kinds import TASK_KINDS
from flows.run.output import Result
from flows.run.processes.workers import process_pool
from flows.run.runner import WholeStage
from flows.stages.suite_tables import as_tables

STAGE = "tasks-"
"""Prefix of the names of these stages, before the name of the suite."""
CHUNK = 16
"""Number of candidates that are sent to a process together."""
MAX_FRUITLESS = 4000
"""Number of consecutive candidates without a new task after which drawing ends."""


class TaskOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options for drawing tasks.

    `count` is the maximum number of tasks, `kind` their kind, `seed` the seed of the draws, and
    `distractors` the number of tools that are offered beyond the needed ones.
    """

    count: int | None = None
    kind: str = "request"
    seed: int = 0
    distractors: int = 20
    workers: int = 1


Verdict = Task | Rejected


def prepare(
    suite: str, inputs: Sequence[Path], options: TaskOptions, progress: UnderWay | None = None
) -> WholeStage:
    """Build the stage that makes tasks of a suite, from input files or drawn at random.

    Raises:
        RunError: the suite or the kind is unknown, an input is missing, or there is neither an
            input nor a `count`.
    """
    name = SUITES.spelt(suite)
    SUITES.find(name)
    TASK_KINDS.find(options.kind)
    if not inputs and options.count is None:
        raise RunError("pass --count N, the number of tasks to draw, because there is no input")
    sources = source_files(inputs) if inputs else []
    parts = [str(options.count), str(options.seed), str(options.distractors), options.kind]
    return WholeStage(
        name=STAGE + name,
        tables=("rejected", "tasks"),
        write=partial(write_tasks, name, inputs, sources, options, progress=progress),
        decides=[*parts, *(file.digest for file in sources)],
    )


def write_tasks(
    suite: str,
    inputs: Sequence[Path],
    sources: Sequence[SourceFile],
    options: TaskOptions,
    result: Result,
    *,
    progress: UnderWay | None,
) -> None:
    """Draw candidates of tasks, prove them by replay, and write the proved tasks.

    Raises:
        RunError: the suite has no tasks of the kind, or an input contains nothing for it.
    """
    kind = TASK_KINDS.find(options.kind)
    with ExitStack() as stack:
        tables = stack.enter_context(as_tables(suite, inputs)) if inputs else ()
        objects = list(list_objects(tables, stack)) if inputs else []
        candidates = kind.draw(suite, SUITES.find(suite), objects, options.seed)
        proofs = verdicts(STAGE + suite, candidates, options)
        _write(result, proofs, options.count, progress)
    result.objects = sum(result.rows().values())
    result.sources = sources


def _write(
    result: Result,
    proofs: Generator[Verdict, None, None],
    count: int | None,
    progress: UnderWay | None,
) -> None:
    """Write up to `count` tasks, sorted by id, and the candidates rejected before the last task."""
    encoded_rows: list[tuple[str, bytes]] = []
    with closing(proofs):
        if progress is not None and count is not None:
            progress.start(count)
        for verdict in _distinct(proofs):
            if isinstance(verdict, Rejected):
                result.reject(verdict)
                continue
            # All rows stay in memory until they can be sorted, so they are compressed.
            encoded_rows.append(
                (verdict.task_id, zlib.compress(msgspec.json.encode(row_of(verdict)), 1))
            )
            if progress is not None:
                progress.advance()
            if len(encoded_rows) == count:
                break
    for _, row in sorted(encoded_rows):
        result.add("tasks", msgspec.json.decode(zlib.decompress(row), type=TaskRow))
    result.close()


def verdicts(
    stage: str, candidates: Iterable[Candidate], options: TaskOptions
) -> Generator[Verdict, None, None]:
    """Yield a task or a rejected row per candidate, in order, after running each task twice.

    The two runs of a task are in different processes.
    """
    work = partial(prove_chunk, stage, options.distractors, options.kind)
    redactor = CellRedactor()
    open_worlds = OpenWorlds()
    stream = iter(candidates)
    chunks = iter(lambda: list(islice(stream, CHUNK)), [])
    with process_pool(options.workers) as pool:
        # One chunk more than there are workers keeps them busy; drawing many chunks in advance
        # would be in vain if enough tasks are found.
        pending = [
            pool.ask(_chunk_name(stage, chunk), work, chunk)
            for chunk in islice(chunks, options.workers + 1)
        ]
        try:
            while pending:
                done = pending.pop(0).result()
                pending += [
                    pool.ask(_chunk_name(stage, chunk), work, chunk) for chunk in islice(chunks, 1)
                ]
                for verdict in done:
                    yield (
                        verdict
                        if isinstance(verdict, Rejected)
                        else _check(stage, verdict, open_worlds, redactor)
                    )
        finally:
            for future in pending:
                future.cancel()
            open_worlds.close()


def _chunk_name(stage: str, chunk: Sequence[Candidate]) -> str:
    return f"{stage} of {chunk[0].source_id} to {chunk[-1].source_id}"


def prove_chunk(
    stage: str, distractors: int, kind: str, chunk: Sequence[Candidate]
) -> list[Verdict]:
    """Prove the candidates of a chunk in this process; return a task or a rejected row for each."""
    verdicts: list[Verdict] = []
    open_worlds = OpenWorlds()
    finish = TASK_KINDS.find(kind).finish
    for candidate in chunk:
        try:
            task = prove(candidate, open_worlds, distractors=distractors)
            verdicts.append(finish(task, open_worlds))
        except RejectedInputError as error:
            location = candidate.source_uri or candidate.source
            message = f"{candidate.source_id}: {error}"
            verdicts.append(Rejected(stage, location, error.reason, message))
    open_worlds.close()
    return verdicts


def _check(stage: str, task: Task, open_worlds: OpenWorlds, redactor: CellRedactor) -> Verdict:
    """Return the task, or a rejected row if it runs differently here or would be redacted."""
    location = task.source_uri or task.source
    otherwise = confirm(task, open_worlds)
    if otherwise is not None:
        return Rejected(stage, location, "not_repeatable", f"{task.source_id}: {otherwise}")
    kinds = secrets_in(row_of(task), redactor)
    if kinds:
        return Rejected(stage, location, "redacted", f"{task.source_id}: {', '.join(kinds)}")
    return task


def _distinct(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Yield every task once; end after a long series of candidates without a new task."""
    known_ids: set[str] = set()
    fruitless = 0
    for verdict in verdicts:
        fruitless += 1
        if isinstance(verdict, Rejected):
            yield verdict
        elif verdict.task_id not in known_ids:
            known_ids.add(verdict.task_id)
            fruitless = 0
            yield verdict
        if fruitless >= MAX_FRUITLESS:
            return
