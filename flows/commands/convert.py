"""The command `benchloom convert`: it turns annotated dialogues into plans of API calls."""

import time
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands, rare
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Inputs,
    Json,
    Out,
    Strict,
    Workers,
    Workspace,
    finish_stage_command,
)
from parsers.dialogues.sources import DIALOGUE_SOURCES

GROUP = Commands()


def _formats() -> tuple[str, ...]:
    from benchloom.exchange.formats import FORMATS, LineFormat

    return tuple(FORMATS.only(LineFormat))


class Outcome(StrEnum):
    """The outcomes of API calls in dialogues; calls with an outcome in --drop are left out."""

    FAILED = "failed"
    RETRIED = "retried"
    SUPERSEDED = "superseded"


@GROUP.command(
    "convert",
    no_args_is_help=True,
    lists={"Formats": _formats},
    codes={1: "nothing was read; or --strict, and something was rejected"},
)
def convert(
    source: Annotated[
        str,
        Argument(
            metavar="SOURCE",
            help=f"Dataset of the dialogues: {', '.join(DIALOGUE_SOURCES.names())}.",
        ),
    ],
    inputs: Inputs,
    out: Out,
    mode: Annotated[
        Literal["flow", "name"],
        Option(
            help="flow: trace each reference to its source; name: match by name, as AppBench does."
        ),
    ] = "flow",
    format_name: Annotated[
        str,
        Option(
            "--format", metavar="NAME", help="parquet, or an export format from the list below."
        ),
    ] = "parquet",
    drop: Annotated[
        list[Outcome] | None,
        rare(help="Leave out calls with this outcome (repeatable, only in mode flow)."),
    ] = None,
    variant: Annotated[
        str | None,
        rare(
            metavar="NAME",
            help="Use the service and slot names of this SGD-X variant, such as v1; "
            "needs sgd and --mode flow.",
        ),
    ] = None,
    select: Annotated[
        bool,
        rare("--select", help="Also draw a test and a training set; needs the format parquet."),
    ] = False,
    rules: Annotated[
        Path | None, rare(metavar="FILE", help="YAML file with the rules for --select.")
    ] = None,
    strict: Strict = False,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Turn annotated dialogues into plans of API calls.

    Examples:
        benchloom convert sgd sgd/ --out plans
        benchloom convert sgd sgd/ --out chats --format openai
    """
    from flows.run.finished import add_files
    from flows.run.runner import write_tables
    from flows.stages.dialogues.convert import prepare, stage_name
    from flows.stages.dialogues.options import PARQUET, ConversionOptions
    from flows.stages.dialogues.select import check_rules, read_rules, write_selection
    from scrapers.mirrors import read_here

    start = time.perf_counter()
    options = ConversionOptions(
        mode=mode,
        format=format_name,
        drop=tuple(sorted({outcome.value for outcome in drop or ()})),
        variant=variant,
    )
    if (select or rules) and format_name != PARQUET:
        raise RunError("--select needs Parquet; omit --format")
    selection = read_rules(rules) if select or rules else None
    if selection is not None:
        check_rules(selection, mode)
    with read_here(inputs, workspace) as paths:
        prepare_here = partial(prepare, source, paths, options=options)
        stage = write_tables(stage_name(source), out, prepare_here, workers=workers)
    lines = []
    if selection is not None:
        report = write_selection(out, selection)
        add_files(out)
        lines = [f"  {sample_set.name}: {sample_set.plans}" for sample_set in report.sets]
    finish_stage_command(
        f"convert {source}", stage, start, as_json=json, strict=strict, further=lines
    )
