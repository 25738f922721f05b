"""The command `benchloom schedule`: it runs the rebuild on a schedule until it is stopped."""

from pathlib import Path
from typing import Annotated

from typer import Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, RebuildConfig, Workspace

GROUP = Commands()


@GROUP.command("schedule")
def schedule(
    cron: Annotated[
        str | None,
        Option(
            metavar="EXPRESSION",
            help="Cron expression; if absent, that in [schedule] of the configuration.",
        ),
    ] = None,
    timezone: Annotated[
        str | None, Option(metavar="NAME", help="Time zone of --cron, such as Europe/Rome.")
    ] = None,
    every: Annotated[float | None, Option(metavar="SECONDS", min=1, hidden=True)] = None,
    config: RebuildConfig = Path("rebuild.toml"),
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run the rebuild on a schedule until interrupted.

    Every run reads the configuration again.

    Examples:
        benchloom schedule --cron "0 4 * * 1"
        benchloom schedule --cron "@daily" --config rebuild.toml
    """
    from benchloom.core.progress import say, under_way
    from flows.console.output import starting

    with starting("schedule"):
        from flows.configuration import refuse_old_file
        from flows.configuration.checks import schedule_fault, valid_configuration
        from flows.configuration.table import ScheduleOptions

    configuration = valid_configuration(config)
    refuse_old_file(workspace)
    options = configuration.schedule
    chosen = ScheduleOptions(cron=cron or options.cron, timezone=timezone or options.timezone)
    if every is None and chosen.cron is None:
        raise RunError("no schedule: pass --cron, or set [schedule] cron in the configuration")
    with under_way("schedule: starting"):
        from flows.engine.server_process import Plan, serve_rebuild

    if fault := schedule_fault(chosen):
        raise RunError(fault)
    plan = Plan(
        config=config.resolve(),
        workspace=workspace.resolve(),
        cron=chosen.cron,
        timezone=chosen.timezone,
        every=every,
    )
    when = f"every {every:g} s" if every else f"'{chosen.cron}' ({chosen.timezone})"

    def ready(deployment: str, address: str) -> None:
        say(f"serving {deployment} {when}; Prefect: {address.removesuffix('/api')}")
        say(f"  rebuilds {plan.config} in {plan.workspace}; press Ctrl-C to stop")

    serve_rebuild(plan, ready, say)
