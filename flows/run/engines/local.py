"""Engine local: processes of this machine, started for a stage and gone with it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from flows.run.engines.base import Make, Run, Wanted
from flows.run.processes.workers import mapping, shard_maker
from flows.run.stage import AnyStage


class LocalEngine:
    """The engine, which is always running."""

    name = "local"

    def fault(self, address: str | None) -> str | None:
        """An address is that of something else."""
        return None if address is None else "engine.address needs an engine that has one: 'dask'"

    def unanswered(self, address: str | None) -> str | None:  # noqa: ARG002  as of `Engine`
        """It is here."""
        return None

    @contextmanager
    def start(self, request: Wanted) -> Iterator["LocalEngine"]:  # noqa: ARG002  as of `Engine`
        """Itself."""
        yield self

    def at_once(self, workers: int) -> int:
        """A shard for each process."""
        return workers

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """One worker is the calling thread."""
        return shard_maker(stage.making(), workers, stage.shard_name)

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """As with shards."""
        return mapping(workers)


ENGINE = LocalEngine()
