"""The engine `dask` makes shards in Dask workers on machines that share the workspace.

Only file names, numbers and counts go through the scheduler. See docs/decisions/0250.
"""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from benchloom.core.errors import extra
from benchloom.storage.memory import with_memory
from flows.errors import EngineError
from flows.run.engines import EngineRequest, Make, Run
from flows.run.engines._address import is_address, is_open, no_scheduler_message
from flows.run.stage import AnyStage

if TYPE_CHECKING:
    from flows.run.engines._cluster import Cluster

FOLDER = ".cluster-"
"""Prefix of the workspace folders that contain requests to workers."""
_NEEDING = "runs on Dask"


class DaskEngine:
    """The engine that makes shards in Dask workers.

    `address` is the address of a running scheduler. If it is None, the engine starts a local
    cluster.
    """

    name = "dask"
    extra = "cluster"

    def fault(self, address: str | None) -> str | None:
        """Return an error message if Dask is not installed or the address is not valid."""
        try:
            with extra(self.extra, _NEEDING, EngineError):
                if find_spec("distributed") is None:
                    raise ModuleNotFoundError(name="distributed")
        except EngineError as error:
            return str(error)
        if address is not None and not is_address(address):
            return f"engine.address: '{address}' is not an address such as tcp://127.0.0.1:8786"
        return None

    def unanswered(self, address: str | None) -> str | None:
        """Return an error message if an address is set and its port is closed."""
        return None if address is None or is_open(address) else no_scheduler_message(address)

    @contextmanager
    def start(self, request: EngineRequest) -> Iterator["StartedDask"]:
        """Connect to a running scheduler now, or start a local cluster when first needed."""
        request.workspace.mkdir(parents=True, exist_ok=True)
        for left in request.workspace.glob(f"{FOLDER}*"):  # of runs that were killed
            shutil.rmtree(left, ignore_errors=True)
        with ExitStack() as stack:
            # Killed workers may still write into the folder while it is removed.
            folder = TemporaryDirectory(
                prefix=FOLDER, dir=request.workspace, ignore_cleanup_errors=True
            )
            running = StartedDask(request, Path(stack.enter_context(folder)), stack)
            if request.address is not None:
                running.cluster()
            yield running


class StartedDask:
    """A Dask cluster that makes all shards of a run.

    The parameter `workers` of its methods has no effect, because all stages use the same workers.
    """

    def __init__(self, request: EngineRequest, folder: Path, stack: ExitStack) -> None:
        self._request = request
        self._folder = folder
        self._stack = stack
        self._lock = Lock()
        self._cluster: Cluster | None = None

    def cluster(self) -> "Cluster":
        """Return the cluster, which is connected or started at the first call."""
        with self._lock:
            if self._cluster is None:
                from flows.run.engines import _cluster

                opened = _cluster.opened(self._request, self._folder)
                self._cluster = self._stack.enter_context(opened)
            return self._cluster

    def at_once(self, workers: int) -> int:  # noqa: ARG002  `StartedEngine` requires the parameter
        """Return the number of workers plus one, so that a shard waits and no worker is idle."""
        is_local = self._request.address is None
        return 1 + (self._request.workers if is_local else self.cluster().size())

    @contextmanager
    def shards(
        self,
        stage: AnyStage,
        workers: int,  # noqa: ARG002  `StartedEngine` requires the parameter
    ) -> Iterator[Make]:
        """Yield a function that makes shards on workers.

        The workers read the pickled function of the stage from a file in the workspace.
        """
        from flows.run.engines._remote import facts_here, keep

        work_file = keep(stage.shard_work(), self._folder, facts_here())
        yield lambda number: self.cluster().make_shard(
            work_file, stage.path, number, stage.shard_name(number)
        )

    @contextmanager
    def mapping(self, workers: int) -> Iterator[Run]:  # noqa: ARG002  `StartedEngine` requires the parameter
        """Yield a `map` that runs every call as one task of the cluster."""
        cluster = self.cluster()
        yield lambda function, *elements: cluster.calls(with_memory(function), *elements)


ENGINE = DaskEngine()
