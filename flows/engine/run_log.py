"""This module writes log lines about a run to the run's page and that of its top-level run.

Prefect shows on the page of a run only the log lines of that run. A rebuild logs nothing itself, so
the log lines of its subflows are also written to its page.
"""

import logging
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from prefect.context import FlowRunContext
from prefect.logging.loggers import flow_run_logger
from prefect.runtime import flow_run

from benchloom.storage.workspace import KEYED

if TYPE_CHECKING:
    Logger = logging.LoggerAdapter[logging.Logger]

_root: ContextVar[UUID | None] = ContextVar("root", default=None)
"""The id of the top-level run, cached because Prefect's server must be asked for it."""


def root_run() -> UUID:
    """Return the id of the top-level flow run, which is this run if it has no parent."""
    run_id = _root.get()
    if run_id is None:
        run_id = UUID(str(flow_run.root_flow_run_id))
        _root.set(run_id)
    return run_id


def run_logger() -> "Logger":
    """Return the logger of the current flow run, also inside its tasks.

    Raises:
        RuntimeError: no flow run is active.
    """
    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        raise RuntimeError("no flow run is active")
    return flow_run_logger(context.flow_run, context.flow)


def log_line(line: str) -> None:
    """Log a line to the pages of the current flow run and of its top-level run."""
    run_logger().info(line)
    root = root_run()
    if str(root) != str(flow_run.id):
        flow_run_logger(flow_run_id=root).info(line)


_MAX_NAMES = 3


def run_name(template: str) -> Callable[[], str]:
    """Return a function that returns a name for the current flow run, such as `parse shop.zip`.

    The name is `template`, for example `parse {inputs}`, with values of the flow's parameters in
    its fields. A path appears as its last part, and the folder of a stage without its digest.
    """

    def name() -> str:
        values = {key: _short_value(value) for key, value in flow_run.parameters.items()}
        return template.format_map(values)

    return name


def _short_value(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        more = f" and {len(value) - _MAX_NAMES} more" if len(value) > _MAX_NAMES else ""
        return ", ".join(_short_value(entry) for entry in value[:_MAX_NAMES]) + more
    return KEYED.sub("", Path(str(value)).name)
