"""Engine dask: workers of a Dask cluster, on this machine or on those that share the workspace.

Nothing but names of files, numbers and counts goes through the scheduler. See
docs/decisions/0250.
"""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from benchloom.core.extras import extra
from flows.errors import EngineError
from flows.run.engines._address import is_address, is_open, nobody_answers
from flows.run.engines.base import Make, Run, Wanted
from flows.run.stage import AnyStage

if TYPE_CHECKING:
    from flows.run.engines._cluster import Cluster

FOLDER = ".cluster-"
"""How the folders of a workspace begin that hold what workers are asked."""
_NEEDING = "runs on Dask"


class DaskEngine:
    """The engine; `address` is that of a scheduler that runs."""

    name = "dask"

    def fault(self, address: str | None) -> str | None:
        """What is not installed, or an address that is none."""
        try:
            with extra("cluster", _NEEDING, EngineError):
                if find_spec("distributed") is None:
                    raise ModuleNotFoundError(name="distributed")
        except EngineError as error:
            return str(error)
        if address is not None and not is_address(address):
            return f"engine.address: '{address}' is not an address like tcp://127.0.0.1:8786"
        return None

    def unanswered(self, address: str | None) -> str | None:
        """Whether a port is open there is told at once; who listens is asked by `start`."""
        return None if address is None or is_open(address) else nobody_answers(address)

    @contextmanager
    def start(self, request: Wanted) -> Iterator["DaskRunning"]:
        """A scheduler that runs is asked at once, a cluster of our own starts when it is needed."""
        request.workspace.mkdir(parents=True, exist_ok=True)
        for left in request.workspace.glob(f"{FOLDER}*"):  # of runs that were killed
            shutil.rmtree(left, ignore_errors=True)
        with ExitStack() as stack:
            # Killed workers may still write into it while it goes.
            folder = TemporaryDirectory(
                prefix=FOLDER, dir=request.workspace, ignore_cleanup_errors=True
            )
            running = DaskRunning(request, Path(stack.enter_context(folder)), stack)
            if request.address is not None:
                running.cluster()
            yield running


class DaskRunning:
    """A cluster at work; everything of a run is made by it, whatever its stages may use here."""

    def __init__(self, request: Wanted, folder: Path, stack: ExitStack) -> None:
        self._wanted = request
        self._folder = folder
        self._stack = stack
        self._lock = Lock()
        self._cluster: Cluster | None = None

    def cluster(self) -> "Cluster":
        """The cluster, which is there from the first call on."""
        with self._lock:
            if self._cluster is None:
                from flows.run.engines import _cluster

                opened = _cluster.opened(self._wanted, self._folder)
                self._cluster = self._stack.enter_context(opened)
            return self._cluster

    def at_once(self, workers: int) -> int:  # noqa: ARG002  as of `Running`
        """One for each worker, and one that waits, so that none does."""
        own = self._wanted.address is None
        return 1 + (self._wanted.workers if own else self.cluster().size())

    @contextmanager
    def shards(
        self,
        stage: AnyStage,
        workers: int,  # noqa: ARG002  as of `Running`
    ) -> Iterator[Make]:
        """Workers read what makes the shards from a file of the workspace."""
        from flows.run.engines._remote import keep, own_facts

        work_file = keep(stage.making(), self._folder, own_facts())
        yield lambda number: self.cluster().made(
            work_file, stage.folder, number, stage.shard_name(number)
        )

    @contextmanager
    def mapping(self, workers: int) -> Iterator[Run]:  # noqa: ARG002  as of `Running`
        """Every call is a task."""
        yield partial(self.cluster().calls)


ENGINE = DaskEngine()
