"""The command `benchloom run FLOW`: it runs one Prefect flow with parameters."""

from typing import Annotated

import msgspec
from typer import Argument, Option

from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

GROUP = Commands()


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `run --json` prints."""

    command: str
    flow: str
    result: str


@GROUP.command(
    "run",
    lists={"Flows": "flows.engine.single:FLOWS.names"},
    codes={1: "a gate failed", 3: "a budget is spent, or a site refused"},
)
def run(
    flow: Annotated[
        str, Argument(metavar="FLOW", help="Name of a Prefect flow, from the list below.")
    ],
    param: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=VALUE",
            help="Parameter of the flow (repeatable; repeat a name for a list).",
        ),
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run one Prefect flow on this machine.

    Examples:
        benchloom run parse --param inputs=shortcuts.zip
        benchloom run define --param inputs=apps/
    """
    from flows.console.output import starting

    with starting("run"):
        from flows.engine.command_runs import run_flow
        from flows.engine.single import bind

        start = bind(flow, param or [], workspace.resolve())
    result = str(run_flow(workspace, lambda: start))
    summary = RunSummary(command="run", flow=flow, result=result)
    finish(summary, [f"{flow}: {result}"], as_json=json)
