"""A flow as a step of another one: a task of the other's run, with the same work and name.

A flow run takes Prefect's server a quarter of a second of processor time, for which whoever starts
it waits; a task run takes next to nothing. Its page tells the same: state, times, log.
"""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE

from flows.engine.run_names import RunName

if TYPE_CHECKING:
    from prefect import Flow

# A task that fails in a step: Prefect (3.8) asks the transaction of the step to be rolled back and
# does not wait for it. When the fault has reached the step, it is rolled back all the same.
warnings.filterwarnings(
    "ignore", r"coroutine 'AsyncTransaction\.rollback' was never awaited", RuntimeWarning
)

P = ParamSpec("P")
R = TypeVar("R")


def as_step(of: "Flow[P, R]") -> Callable[P, R]:
    """What a flow does, as a task of the run of the flow that calls it."""
    named = of.flow_run_name
    if not isinstance(named, RunName):
        raise TypeError(f"flow '{of.name}' has no name of ours for its runs")

    def name(parameters: dict[str, Any]) -> str:
        return named.told(parameters)

    made = task(
        name=of.name,
        description=of.description,
        task_run_name=name,  # type: ignore[arg-type]  # asks for a method that functions need not have
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    return made(of.fn)
