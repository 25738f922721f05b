"""This module reports when runs of a schedule start and end, and skips overdue runs.

A run that is due while another run is active is skipped. It would only read the same configuration
again, find its stages finished, and delay the next run.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx
import msgspec
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.client.schemas.sorting import FlowRunSort
from prefect.states import Cancelled

from flows.console.bars import format_duration

_WAITS = "SCHEDULED"
_BUSY = frozenset({"PENDING", "RUNNING", "CANCELLING"})
_SKIPPED = "Skipped"
_PREFIX = "Flow run encountered an exception: "
_MOST = 50
_GOING = (StateType.PENDING, StateType.RUNNING, StateType.CANCELLING)
_OVER = (StateType.COMPLETED, StateType.FAILED, StateType.CRASHED, StateType.CANCELLED)


class SeenRun(msgspec.Struct, frozen=True, kw_only=True):
    """A flow run as Prefect's server reports it.

    `kind` is the type of the run's state, such as RUNNING, and `outcome` the name of the state.
    """

    run_id: UUID
    due: datetime
    kind: str
    outcome: str = ""
    message: str = ""
    began: datetime | None = None
    ended: datetime | None = None

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, with or without success."""
        return self.kind != _WAITS and self.kind not in _BUSY


class RunWatch:
    """A watch over the runs of a schedule, which remembers the runs that it has reported."""

    def __init__(self, timezone: str = "UTC") -> None:
        self._timezone = ZoneInfo(timezone)
        self._begun: set[UUID] = set()
        self._over: set[UUID] | None = None
        self._told_next = False

    def look(self, runs: Sequence[SeenRun], now: datetime) -> tuple[list[str], list[SeenRun]]:
        """Return lines that report changes since the last call, and the runs to skip.

        Runs that had ended before the first call are not reported. If several runs are overdue and
        none is running, for example after the machine slept, all but one of them are skipped.
        """
        over = [run for run in runs if run.is_over]
        if self._over is None:
            self._over = {run.run_id for run in over}
        lines: list[str] = []
        fresh = [run for run in over if run.run_id not in self._over and run.outcome != _SKIPPED]
        begun = (seen_run for seen_run in runs if seen_run.began and seen_run.outcome != _SKIPPED)
        for run in sorted(begun, key=lambda seen_run: seen_run.due):
            if run.run_id not in self._begun and run.run_id not in self._over:
                self._begun.add(run.run_id)
                lines.append(f"run due {self._local_time(run.due)}: started")
        for run in sorted(fresh, key=lambda seen_run: seen_run.due):
            self._over.add(run.run_id)
            lines.append(f"run due {self._local_time(run.due)}: {_ending(run)}")
        waiting = [run for run in runs if run.kind == _WAITS]
        skipped = self._to_skip(runs, fresh, waiting, now)
        skipped_ids = {run.run_id for run in skipped}
        lines += [f"run due {self._local_time(run.due)}: {_why(runs)}" for run in skipped]
        upcoming = [run.due for run in waiting if run.run_id not in skipped_ids and run.due > now]
        if upcoming and (fresh or not self._told_next):
            self._told_next = True
            lines.append(f"next run: {self._local_time(min(upcoming))}")
        return lines, skipped

    def _to_skip(
        self,
        runs: Iterable[SeenRun],
        fresh: Iterable[SeenRun],
        waiting: Iterable[SeenRun],
        now: datetime,
    ) -> list[SeenRun]:
        late = sorted((run for run in waiting if run.due <= now), key=lambda seen_run: seen_run.due)
        if any(run.kind in _BUSY for run in runs):
            return late
        ends = [run.ended for run in fresh if run.ended is not None]
        missed = [run for run in late if ends and run.due <= max(ends)]
        other_runs = [run for run in late if run not in missed]
        return [*missed, *other_runs[:-1]]

    def _local_time(self, moment: datetime) -> str:
        return moment.astimezone(self._timezone).strftime("%Y-%m-%d %H:%M:%S %Z")


def _ending(run: SeenRun) -> str:
    took = ""
    if run.began is not None and run.ended is not None:
        took = f" after {format_duration((run.ended - run.began).total_seconds())}"
    first = run.message.removeprefix(_PREFIX).strip().splitlines()[:1]
    why = f": {first[0]}" if first and run.outcome != "Completed" else ""
    return f"{run.outcome.lower()}{took}{why}"


def _why(runs: Iterable[SeenRun]) -> str:
    goes_on = any(run.kind in _BUSY for run in runs)
    return f"skipped, {'the previous run is still active' if goes_on else 'it is overdue'}"


async def watch_runs(
    deployment: UUID, timezone: str, every: float, tell: Callable[[str], object]
) -> None:
    """Watch the runs of a deployment until cancelled, and skip overdue runs.

    The server is asked every `every` seconds, and `tell` is called with a line for each change.
    """
    watch = RunWatch(timezone)
    async with get_client() as client:
        while True:
            try:
                runs = [_seen_run(run) for run in await _read(client, deployment)]
                lines, skipped = watch.look(runs, datetime.now(UTC))
                for run in skipped:
                    state: State[None] = Cancelled(name=_SKIPPED, message="another run was active")
                    await client.set_flow_run_state(run.run_id, state, force=True)
            except httpx.HTTPError:
                lines = []  # the runner itself reports that the server is gone
            for line in lines:
                tell(line)
            await asyncio.sleep(every)


async def _read(client: PrefectClient, deployment: UUID) -> list[FlowRun]:
    """Return the runs of a deployment that are active, that ended last, or that are due next."""
    flow_runs: list[FlowRun] = []
    for types, sort in (
        (_GOING, FlowRunSort.START_TIME_DESC),
        (_OVER, FlowRunSort.END_TIME_DESC),
        ((StateType.SCHEDULED,), FlowRunSort.EXPECTED_START_TIME_ASC),
    ):
        run_filter = FlowRunFilter(
            deployment_id=FlowRunFilterDeploymentId(any_=[deployment]),
            state=FlowRunFilterState(type=FlowRunFilterStateType(any_=list(types))),
        )
        flow_runs += await client.read_flow_runs(flow_run_filter=run_filter, sort=sort, limit=_MOST)
    return flow_runs


def _seen_run(run: FlowRun) -> SeenRun:
    state = run.state
    kind = state.type.value if state is not None else _WAITS
    due_time = run.expected_start_time or run.created or datetime.now(UTC)
    return SeenRun(
        run_id=run.id,
        due=due_time,
        kind=kind,
        outcome=(state.name or kind) if state is not None else kind,
        message=(state.message or "") if state is not None else "",
        began=run.start_time,
        ended=run.end_time,
    )
