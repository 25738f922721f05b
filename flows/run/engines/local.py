"""Engine local: processes of this machine that are started for a stage and end with it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from flows.run.engines import EngineRequest, Make, Run
from flows.run.processes.workers import mapping, shard_maker
from flows.run.stage import AnyStage


class LocalEngine:
    """The local engine, which is always available."""

    name = "local"
    extra = ""

    def fault(self, address: str | None) -> str | None:
        """Return an error message if an address is set: this engine does not use one."""
        return None if address is None else "engine.address: engine 'local' has no address"

    def unanswered(self, address: str | None) -> str | None:  # noqa: ARG002  `Engine` requires the parameter
        """Return None: the local engine is always available."""
        return None

    @contextmanager
    def start(self, request: EngineRequest) -> Iterator["LocalEngine"]:  # noqa: ARG002  `Engine` requires the parameter
        """Yield this engine; there is nothing to start."""
        yield self

    def at_once(self, workers: int) -> int:
        """The number of workers: one shard for each process."""
        return workers

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """Make shards in processes, or in the calling thread if there is only one worker."""
        return shard_maker(stage.shard_work(), workers, stage.shard_name)

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """Yield a `map` that runs in processes, or with one worker in the calling thread."""
        return mapping(workers)


ENGINE = LocalEngine()
