"""The interface of an engine, which makes the shards of stages on this machine or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from benchloom.storage.stages import ShardMark
from flows.run.stage import AnyStage

Make = Callable[[int], ShardMark]
"""Makes the shard of a number and returns when it is made; callable from several threads."""
Run = Callable[..., Iterator[Any]]
"""`map`, wherever the function is called; results come in order."""


class EngineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A run's request to an engine.

    `inputs` are the files and folders outside the workspace that the stages of the run read.
    `workers` is the number of processes that an engine starts if no `address` names a running
    cluster.
    """

    workspace: Path
    workers: int = 1
    address: str | None = None
    inputs: tuple[Path, ...] = ()


class Running(Protocol):
    """A started engine; `workers` is the number of local processes that a stage may use."""

    def at_once(self, workers: int) -> int:
        """The number of shards to request in parallel."""
        ...

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """Yield a function that makes the stage's shards and works until the block ends."""
        ...

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """Yield a parallel `map` for many small arguments: paths and numbers, never rows."""
        ...


@runtime_checkable
class Engine(Protocol):
    """The interface that every module of this folder provides."""

    @property
    def name(self) -> str:
        """The name of the engine: the value of `kind` in the table `[engine]`."""
        ...

    def fault(self, address: str | None) -> str | None:
        """Return why the engine cannot start with this address; None if no fault is known."""
        ...

    def unanswered(self, address: str | None) -> str | None:
        """Return an error message if no scheduler answers; called before heavy imports."""
        ...

    def start(self, request: EngineRequest) -> AbstractContextManager[Running]:
        """Start the engine; it is ready to work until the block ends.

        Raises:
            EngineError: the engine cannot be reached, or would write other bytes than this
                process.
        """
        ...
