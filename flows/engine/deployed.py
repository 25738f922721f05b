"""The flows in the form in which Prefect deployments, such as schedules, run them.

A deployed flow locks the workspace and loads secrets from Prefect blocks; for a command,
`flows.engine.command_runs` does both. `flows.engine.deployed.<name>` is the flow of that name. It
is created on first access, so that starting one flow imports no other flow.
"""

import functools
import inspect
import sys
from pathlib import Path
from typing import Any

from benchloom.core.errors import BusyError
from benchloom.storage.workspace import workspace_lock
from flows.console.output import show_progress
from flows.engine.api import Failed, Flow
from flows.engine.command_runs import silence_own_errors
from flows.engine.prefect_output import silence_prefect
from flows.engine.server.local import load_secrets
from flows.engine.single import FLOWS


def deployed_names() -> tuple[str, ...]:
    """Return the names of all flows that can be deployed, such as `rebuild`."""
    return FLOWS.names()


def __getattr__(name: str) -> Flow[..., Any]:
    if name not in deployed_names():
        raise AttributeError(name)
    guarded_flow = _guard(FLOWS.find(name))
    setattr(sys.modules[__name__], name, guarded_flow)
    return guarded_flow


def _guard(inner: Flow[..., Any]) -> Flow[..., Any]:
    """Return a flow that locks the workspace while the inner flow runs.

    If another run has locked the workspace, the run ends in the failed state `Refused`.
    """
    signature = inspect.signature(inner.fn)

    @functools.wraps(inner.fn)
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        silence_own_errors()
        silence_prefect()
        bound = signature.bind(*args, **kwargs)
        workspace = _absolute_workspace(bound.arguments["workspace"])
        bound.arguments["workspace"] = workspace
        await load_secrets()
        try:
            with workspace_lock(workspace), show_progress():
                return await inner.fn(*bound.args, **bound.kwargs)
        except BusyError as error:
            return Failed(name="Refused", message=str(error))

    guarded.__module__ = __name__  # a runner imports the flow by this name
    return Flow(guarded, name=inner.name)


def _absolute_workspace(workspace: Path | str) -> Path:
    """Return the absolute path of a workspace, because deployments may use a relative path."""
    return Path(workspace).absolute()
