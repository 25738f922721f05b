"""The command `benchloom release export`: it writes a release in another format."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from flows.commands._help import Commands, rare
from flows.commands.options import DEFAULT_WORKSPACE, Json, Out, Workspace, finish

GROUP = Commands()


def _formats() -> tuple[str, ...]:
    from benchloom.exchange.formats import FORMATS, Writing
    from benchloom.worlds.task_formats import TASK_FORMATS

    return tuple(sorted((*FORMATS.only(Writing), *TASK_FORMATS.names())))


Hardness = Literal["random", "same-app", "similar"]


@GROUP.command(
    "export",
    no_args_is_help=True,
    lists={"Formats": _formats},
    codes={1: "nothing was exported, or the release was changed"},
)
def export(
    format_name: Annotated[
        str, Option("--format", metavar="NAME", help="Name of a format, from the list below.")
    ],
    out: Out,
    release: Annotated[
        Path | None,
        Argument(help="A release, its version or a folder of `world build`; the newest if absent."),
    ] = None,
    table: Annotated[
        str | None,
        rare(help="planning_paths or shortcuts; if absent, the first of them that has texts."),
    ] = None,
    split: Annotated[str | None, Option(help="train, validation or test; all if absent.")] = None,
    kept: Annotated[
        bool,
        Option(
            "--kept/--all", help="kept: only kept texts; all: every text, and rows without a text."
        ),
    ] = True,
    templates: Annotated[
        bool, Option("--templates", help="Also export texts that templates wrote.")
    ] = False,
    distractors: Annotated[
        int,
        rare(min=0, max=100, help="Distractors to add to each row: tools that it does not need."),
    ] = 0,
    hardness: Annotated[
        Hardness,
        rare(help="Where distractors come from: all tools, the same app, the most similar."),
    ] = "random",
    seed: Annotated[int, rare(help="Seed for drawing the distractors.")] = 0,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Write training rows or tasks in the format of a trainer.

    Examples:
        benchloom release export --format trl --out rows
        benchloom release export --format openai --split train --out rows
    """
    from benchloom.exchange.examples.distractors import Distraction
    from benchloom.exchange.examples.releases import Choice
    from benchloom.release.versions import release_folder
    from flows.stages.export.tasks import export_as

    distractor_draw = Distraction(distractors, hardness, seed)
    release_path = release_folder(release, workspace)
    done = export_as(
        release_path,
        format_name,
        out,
        Choice(split, every=not kept, templates=templates),
        table=table,
        distraction=distractor_draw,
    )
    lines = [f"{done.examples} examples of {done.table} as {done.format} in {out}"]
    lines += [f"  {count} {name or 'in no split'}" for name, count in done.splits.items()]
    lines += [f"  {count} left out: {why}" for why, count in done.left_out.items()]
    lines += [f"  {count} not written: {why}" for why, count in done.unwritten.items()]
    lines += [f"  {count} lost in the format: {kind}" for kind, count in done.losses.items()]
    lines += [f"  {count} faults of rows: {kind}" for kind, count in done.findings.items()]
    finish(done, lines, as_json=json)
