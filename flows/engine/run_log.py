"""Log lines about a run, on its own page and on that of the run that started everything.

Prefect shows on the page of a run only what that run said. A rebuild says nothing itself, so what
its stages have to tell is told there too.
"""

from contextvars import ContextVar
from uuid import UUID

from prefect import get_run_logger
from prefect.logging.loggers import flow_run_logger
from prefect.runtime import flow_run

_root: ContextVar[UUID | None] = ContextVar("root", default=None)
"""The root of the current run; subflows share the context of their parent, so it is asked once."""


def root_run() -> UUID:
    """The run that the current one is a part of, itself when it is a part of none."""
    known = _root.get()
    if known is None:
        known = UUID(str(flow_run.root_flow_run_id))
        _root.set(known)
    return known


def tell(line: str) -> None:
    """Log a line on the pages of the current run and of its root."""
    get_run_logger().info(line)
    root = root_run()
    if str(root) != str(flow_run.id):
        flow_run_logger(flow_run_id=root).info(line)
