"""The command `benchloom judge STEP`: it applies the rules of an LLM step to texts in a file."""

import time
from pathlib import Path
from typing import Annotated

import msgspec
from typer import Argument, Option

from flows.commands._help import Commands
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Json,
    Out,
    UnusedWorkspace,
    Workers,
    finish,
    nothing_read,
)

GROUP = Commands()


def _steps() -> tuple[str, ...]:
    from prompts.steps import STEPS

    return tuple(name for name, step in STEPS.all().items() if not step.judges)


class JudgeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `judge --json` prints.

    `dropped` maps each rule to the number of texts that it is the first to drop. `rejected` maps
    reasons to numbers of lines that contain no text about a row of the input. `judged` is 0,
    because no model judges. `rows` maps tables to their numbers of rows.
    """

    command: str
    step: str
    out: str
    objects: int
    kept: int
    dropped: dict[str, int]
    judged: int
    rejected: dict[str, int]
    rows: dict[str, int]
    seconds: float


@GROUP.command("judge", lists={"Steps": _steps})
def judge(
    step: Annotated[
        str, Argument(metavar="STEP", help="Generation step whose rules judge the texts.")
    ],
    source: Annotated[
        Path, Option("--in", metavar="DIR", help="Folder of the rows that the texts describe.")
    ],
    texts: Annotated[
        Path, Option(metavar="FILE", help='JSON lines: {"target_id": "...", "text": "..."}.')
    ],
    out: Out,
    workers: Workers = 1,
    json: Json = False,
    workspace: UnusedWorkspace = DEFAULT_WORKSPACE,
) -> None:
    """Judge texts from a file by the rules of a step.

    Examples:
        benchloom judge query --in parsed --texts texts.jsonl --out judged
        benchloom judge query --in parsed --texts texts.jsonl --out judged --json
    """
    from flows.run.finished import stage_with
    from flows.run.runner import run_whole
    from flows.stages.generate.outcome import outcome_lines, outcome_of
    from flows.stages.generate.plan import GeneratePlan
    from flows.stages.generate.row_maker import batch_pool
    from flows.stages.generate.supplied_texts import prepare

    start = time.perf_counter()
    plan = GeneratePlan(step=step, source=source)
    plan = msgspec.structs.replace(plan, source=stage_with(source, plan.definition().reads))
    with batch_pool(workers) as worker_pool:
        stage = run_whole(prepare(plan, texts, worker_pool), out)
    outcome = outcome_of(stage)
    summary = JudgeSummary(
        command="judge",
        step=step,
        out=str(out),
        objects=stage.objects,
        kept=outcome.kept,
        dropped=outcome.dropped,
        judged=outcome.judged,
        rejected=outcome.rejected,
        rows=outcome.rows,
        seconds=round(time.perf_counter() - start, 3),
    )
    lines = outcome_lines(step, outcome, "lines", str(out), f"{summary.seconds:.1f} s")
    finish(summary, lines, as_json=json)
    if fault := nothing_read("judge", stage):
        raise fault
