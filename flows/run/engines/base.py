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


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a run requests from an engine.

    `inputs` are the files and folders that its stages read besides the workspace. `workers` is
    the number of processes that an engine starts if no `address` names a running cluster.
    """

    workspace: Path
    workers: int = 1
    address: str | None = None
    inputs: tuple[Path, ...] = ()


class Running(Protocol):
    """A started engine. `workers` is how many processes of this machine the stage may use."""

    def at_once(self, workers: int) -> int:
        """How many shards to request in parallel."""
        ...

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """Return the function that makes the shards of a stage, for the length of a block."""
        ...

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """Return a parallel `map` for many small arguments: paths and numbers, never rows."""
        ...


@runtime_checkable
class Engine(Protocol):
    """The interface that every module of this folder provides."""

    @property
    def name(self) -> str:
        """The value of `kind` in the table `[engine]`."""
        ...

    def fault(self, address: str | None) -> str | None:
        """Return why the engine cannot start with this address, as far as can be checked."""
        ...

    def unanswered(self, address: str | None) -> str | None:
        """Return an error if no scheduler answers; checked before heavy imports."""
        ...

    def start(self, request: Wanted) -> AbstractContextManager[Running]:
        """Start the engine; it is ready to work until the block ends.

        Raises:
            EngineError: it cannot be reached, or would write other bytes than this process.
        """
        ...
