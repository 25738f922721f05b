"""The engine `local` makes shards in processes of this machine, which end with their stage."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from flows.run.engines import EngineRequest, Make, Run
from flows.run.processes.workers import mapping, shard_maker
from flows.run.stage import AnyStage


class LocalEngine:
    """The engine that makes shards in processes of this machine."""

    name = "local"
    extra = ""

    def fault(self, address: str | None) -> str | None:
        """Return an error message if an address is set, because this engine does not use one."""
        fault = "engine.address: engine 'local' uses no address; remove it or set engine 'dask'"
        return None if address is None else fault

    def unanswered(self, address: str | None) -> str | None:  # noqa: ARG002  `Engine` requires the parameter
        """Return None, because the local engine is always available."""
        return None

    @contextmanager
    def start(self, request: EngineRequest) -> Iterator["LocalEngine"]:  # noqa: ARG002  `Engine` requires the parameter
        """Yield this engine; there is nothing to start."""
        yield self

    def at_once(self, workers: int) -> int:
        """Return `workers`, because each process makes one shard at a time."""
        return workers

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """Yield a function that makes shards in processes, or in this thread if `workers` is 1."""
        return shard_maker(stage.shard_work(), workers, stage.shard_name)

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """Yield a `map` that runs in processes, or in this thread if `workers` is 1."""
        return mapping(workers)


ENGINE = LocalEngine()
