"""The command `benchloom world build SUITE`: it makes tasks in the worlds of a suite."""

import time
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from flows.commands._help import SUITES, Commands
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Json,
    Strict,
    Workers,
    Workspace,
    finish_stage_command,
)

GROUP = Commands()


@GROUP.command(
    "build",
    no_args_is_help=True,
    lists=SUITES | {"Kinds": "benchloom.worlds.task_kinds:TASK_KINDS.names"},
)
def build(
    suite: Annotated[
        str, Argument(metavar="SUITE", help="Name of a world suite, from the list below.")
    ],
    inputs: Annotated[
        list[Path] | None,
        Argument(
            metavar="[INPUT...]",
            help="Dialogues, definition files or shortcuts; the suite everyday needs no input.",
        ),
    ] = None,
    count: Annotated[
        int | None, Option(min=1, max=1_000_000, help="Maximum number of tasks.")
    ] = None,
    seed: Annotated[int, Option(help="Seed for random tasks.")] = 0,
    distractors: Annotated[
        int,
        Option(
            min=0, max=1000, help="Distractors to add to each task: tools that it does not need."
        ),
    ] = 20,
    kind: Annotated[
        str | None,
        Option(
            metavar="KIND",
            help="Kind of tasks, from the list below; if absent, the suite's first kind.",
        ),
    ] = None,
    out: Annotated[Path | None, Option(metavar="DIR", help="Folder for the result.")] = None,
    workers: Workers = 1,
    strict: Strict = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Make tasks and check each of them by replay.

    Tasks are drawn at random, or made from recorded dialogues, API definitions or shortcuts.

    Examples:
        benchloom world build everyday --count 20
        benchloom world build everyday --kind dialogue --count 5
    """
    from benchloom.core.progress import under_way
    from benchloom.worlds.suites import SUITES
    from flows.run.runner import run_whole
    from flows.stages.tasks import STAGE, TaskOptions, prepare

    start = time.perf_counter()
    task_folder = out or workspace / f"{STAGE}{SUITES.spelt(suite)}"
    options = TaskOptions(
        count=count,
        seed=seed,
        kind=kind or SUITES.find(suite).kind,
        distractors=distractors,
        workers=workers,
    )
    with under_way("world build", unit="tasks") as progress:
        stage = run_whole(prepare(suite, inputs or (), options, progress), task_folder)
    finish_stage_command("world build", stage, start, as_json=json, strict=strict)
