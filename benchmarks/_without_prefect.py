"""The command `benchloom` where flows and tasks are the functions that they wrap.

    python -m benchmarks._without_prefect rebuild --config FILE --workspace DIR

runs the same stages in the same processes, with no Prefect and no server: what a rebuild takes
beyond this is Prefect's share.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, ParamSpec, TypeVar
from uuid import uuid4

from flows.cli import main

P = ParamSpec("P")
T = TypeVar("T")
_RUN = uuid4()
_THREADS = ThreadPoolExecutor(2)


class _Task(Generic[P, T]):
    """A function that can be submitted, to threads as Prefect's tasks are."""

    def __init__(self, work: Callable[P, T]) -> None:
        self._work = work

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._work(*args, **kwargs)

    def submit(self, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a thread do it."""
        return _THREADS.submit(partial(copy_context().run, self._work, *args, **kwargs))


class _Artifact:
    """An artifact that nobody sees."""

    def __init__(self, **told: object) -> None: ...

    async def acreate(self) -> None: ...


class _Flow(Generic[P, T]):
    """A function that has itself under the name that a flow has it under."""

    def __init__(self, work: Callable[P, T]) -> None:
        self.fn = work

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.fn(*args, **kwargs)


def _flow(**_: object) -> Callable[[Callable[P, T]], _Flow[P, T]]:
    return _Flow


def _task(**_: object) -> Callable[[Callable[P, T]], _Task[P, T]]:
    return _Task


async def _show(*_: object, **__: object) -> None: ...


_WITHOUT: dict[str, dict[str, object]] = {
    "prefect": {"flow": _flow, "task": _task},
    "prefect.artifacts": {
        "MarkdownArtifact": _Artifact,
        "TableArtifact": _Artifact,
        "acreate_markdown_artifact": _show,
        "acreate_progress_artifact": _show,
        "acreate_table_artifact": _show,
        "aupdate_progress_artifact": _show,
    },
    "prefect.cache_policies": {"NO_CACHE": None},
    "prefect.context": {
        "FlowRunContext": SimpleNamespace(get=lambda: SimpleNamespace(flow_run=_RUN, flow=None))
    },
    "prefect.futures": {"wait": wait},
    "prefect.logging.loggers": {"flow_run_logger": lambda *_, **__: logging.getLogger()},
    "prefect.runtime": {"flow_run": SimpleNamespace(id=_RUN, root_flow_run_id=_RUN)},
}
"""All that flows of a rebuild import of Prefect."""


def _run_flow(workspace: Path, load: Callable[[], Callable[[], Coroutine[Any, Any, T]]]) -> T:
    """Run a flow as `flows.engine.running` does, without its server and its secrets."""
    workspace.mkdir(parents=True, exist_ok=True)
    return asyncio.run(load()())


if __name__ == "__main__":
    _WITHOUT["flows.engine.running"] = {"run_flow": _run_flow}
    for name, members in _WITHOUT.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(members)
    main()
