"""What an engine is: whoever makes the shards of stages, on this machine or on a cluster."""

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
    """What a run wants of an engine.

    `inputs` are the files and folders that its stages read besides the workspace, `workers` the
    processes that an engine starts where no `address` names a cluster that runs.
    """

    workspace: Path
    workers: int = 1
    address: str | None = None
    inputs: tuple[Path, ...] = ()


class Running(Protocol):
    """An engine at work. `workers` is what the stage may use of this machine."""

    def at_once(self, workers: int) -> int:
        """How many shards are worth asking for at once."""
        ...

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """What makes the shards of a stage."""
        ...

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """What calls a function on many small things: paths and numbers, never rows."""
        ...


@runtime_checkable
class Engine(Protocol):
    """What a module of this folder offers."""

    @property
    def name(self) -> str:
        """The value of `kind` in the table `[engine]`."""
        ...

    def fault(self, address: str | None) -> str | None:
        """What keeps the engine from being started with this address, as far as can be seen."""
        ...

    def unanswered(self, address: str | None) -> str | None:
        """That nobody answers at the address, before anything is loaded that would ask for more."""
        ...

    def start(self, request: Wanted) -> AbstractContextManager[Running]:
        """The engine, ready to work until the block ends.

        Raises:
            EngineError: it cannot be reached, or would not make what is made here.
        """
        ...
