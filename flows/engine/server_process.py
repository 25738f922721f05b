"""This module runs rebuilds on a schedule, one at a time, until it is interrupted."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
import asyncio
import hashlib
import signal
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import msgspec
from prefect.runner import Runner
from prefect.schedules import Cron, Interval, Schedule
from prefect.types.entrypoint import EntrypointType

from benchloom.core.errors import BenchloomError
from flows.console.interrupts import INTERRUPTED, TERMINATED, stopping
from flows.engine.prefect_output import prefect_fault, silence_prefect
from flows.engine.run_record import last_run
from flows.engine.server.local import scheduling_server
from flows.engine.watcher import watch_runs

__all__ = ["Plan", "flows", "serve_rebuild"]

_LOOK_EVERY = 10.0
_WATCH_EVERY = 5.0
_ENDS_WITHIN = 1.5
"""Maximum seconds that an orderly shutdown after an interrupt may take."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `benchloom schedule`.

    `every` is the number of seconds between two runs; if it is set, `cron` is ignored.
    """

    config: Path
    workspace: Path
    cron: str | None = None
    timezone: str = "UTC"
    every: float | None = None

    def schedule(self) -> Schedule:
        """Return the schedule as a Prefect object."""
        if self.every is not None:
            return Interval(timedelta(seconds=self.every))
        return Cron(self.cron or "", timezone=self.timezone)

    def name(self) -> str:
        """Return the Prefect deployment's name, which depends only on the workspace."""
        digest = hashlib.sha256(str(self.workspace).encode()).hexdigest()
        return f"schedule-{digest[:12]}"


class _Runner(Runner):
    """A Prefect runner that stops on SIGTERM, unlike a runner with Prefect's own handler."""

    def handle_sigterm(self, *args: object, **kwargs: object) -> None:  # noqa: ARG002  the base class requires the parameters
        """Raise an interrupt, after which the process exits with the exit code of SIGTERM."""
        stopping.code = TERMINATED
        signal.raise_signal(signal.SIGINT)


def serve_rebuild(
    plan: Plan, ready: Callable[[str, str], None], tell: Callable[[str], object]
) -> None:
    """Run scheduled rebuilds until an interrupt or SIGTERM; then stop the server and all runs.

    When runs can start, `ready` is called with the deployment and the address of Prefect's API.
    `tell` is called with a line for each start and end of a run.

    Raises:
        KeyboardInterrupt: the function ends only in this way. The interrupt has been reported.
    """

    def end(number: int, frame: object) -> None:
        del frame
        stopping.code = TERMINATED if number == signal.SIGTERM else INTERRUPTED
        _say_end(plan.workspace)
        raise KeyboardInterrupt

    # A shell that starts this process in the background disables interrupts.
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    silence_prefect()
    try:
        with suppress(asyncio.CancelledError), scheduling_server(plan.workspace) as address:
            asyncio.run(_serve(plan, lambda: ready(f"rebuild/{plan.name()}", address), tell))
    except Exception as error:
        if fault := prefect_fault(error):
            raise fault from error
        raise
    raise KeyboardInterrupt


async def _serve(plan: Plan, ready: Callable[[], None], tell: Callable[[str], object]) -> None:
    from flows.engine.deployed import rebuild

    deployment = await rebuild.ato_deployment(
        name=plan.name(),
        schedule=plan.schedule(),
        entrypoint_type=EntrypointType.MODULE_PATH,
        parameters={"config": str(plan.config), "workspace": str(plan.workspace)},
        description=f"{plan.config} into {plan.workspace}",
        tags=["benchloom"],
    )
    looks = _LOOK_EVERY if plan.every is None else min(_LOOK_EVERY, max(1.0, plan.every / 4))
    # One run at a time; the watcher skips runs that become due meanwhile.
    runner = _Runner(name=plan.name(), limit=1, query_seconds=looks)
    deployment_id = await runner.aadd_deployment(deployment)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, _ending(plan.workspace))
    ready()
    watching = asyncio.create_task(
        watch_runs(deployment_id, plan.timezone, min(looks, _WATCH_EVERY), tell)
    )
    try:
        await runner.start()
    finally:
        watching.cancel()


def _ending(workspace: Path) -> Callable[[], None]:
    """Return an interrupt handler that reports the interrupt and cancels the current task."""
    serving = asyncio.current_task()

    def end() -> None:
        _say_end(workspace)
        if serving is not None:
            serving.cancel()

    return end


def _say_end(workspace: Path) -> None:
    """Report the interrupt and whether a run was active; let the process exit after a short wait.

    When this process has ended, the watcher process ends the server and the runs that this process
    has started.
    """
    if stopping.is_said:
        return
    stopping.leave_within(_ENDS_WITHIN)
    record = None
    with suppress(BenchloomError, OSError):  # `status` reports a damaged record
        record = last_run(workspace)
    if record is not None and record.result == "running":
        began = record.started.strftime("%Y-%m-%d %H:%M:%S UTC")
        stopping.keeps(f"the rebuild started at {began} was ended; finished shards are preserved")
    else:
        stopping.keeps("no rebuild was running")
    stopping.say()
