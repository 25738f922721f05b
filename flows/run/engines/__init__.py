"""Engines determine where the shards of stages are made. Each module of this folder is an engine.

A run starts its engine once, and all its stages use that engine. If no engine was started, as
in commands of single stages, processes of this machine make the shards.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from benchloom.core.kinds import Kind
from benchloom.storage.stages import ShardMark
from flows.errors import EngineError
from flows.run.stage import AnyStage

Make = Callable[[int], ShardMark]
"""A function that makes the shard with a number, and returns when the shard is complete. Several
threads may call it at the same time."""
Run = Callable[..., Iterator[Any]]
"""A function like `map` that may run the calls in other processes. It yields the results in the
order of the arguments."""


class EngineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The settings with which a run starts an engine.

    `inputs` are the files and folders outside the workspace that the stages of the run read.
    `workers` is the number of processes that an engine starts if no `address` names a running
    cluster.
    """

    workspace: Path
    workers: int = 1
    address: str | None = None
    inputs: tuple[Path, ...] = ()


class StartedEngine(Protocol):
    """An engine that can make shards now.

    The parameter `workers` of its methods is the number of local processes that a stage may use.
    """

    def at_once(self, workers: int) -> int:
        """Return how many shards (parts of a stage) this engine should make in parallel."""
        ...

    def shards(self, stage: AnyStage, workers: int) -> AbstractContextManager[Make]:
        """Yield a function that makes shards of the stage and can be called inside the block."""
        ...

    def mapping(self, workers: int) -> AbstractContextManager[Run]:
        """Yield a parallel `map` for small arguments: at most a few megabytes per call."""
        ...


@runtime_checkable
class Engine(Protocol):
    """The interface of every module in this folder: a way to distribute shards to processes."""

    @property
    def name(self) -> str:
        """The name of the engine, which a configuration file sets as `kind` in `[engine]`."""
        ...

    @property
    def extra(self) -> str:
        """The extra of the package (`benchloom[extra]`) that the engine needs, or an empty text."""
        ...

    def fault(self, address: str | None) -> str | None:
        """Return why the engine cannot start with this address, or None if no fault is known."""
        ...

    def unanswered(self, address: str | None) -> str | None:
        """Return an error message if no scheduler answers at the address, or None.

        The check is quick, so that it can run before slow modules are imported.
        """
        ...

    def start(self, request: EngineRequest) -> AbstractContextManager[StartedEngine]:
        """Start the engine, and yield the started engine until the block ends.

        Raises:
            EngineError: the engine cannot be reached, or its processes have other versions of the
                code, so that they would write other bytes than this process.
        """
        ...


ENGINES = Kind("engine", __name__, Engine, attribute="ENGINE")
_running: ContextVar[StartedEngine | None] = ContextVar("engine", default=None)
"""The engine of the current run. Flows that the run starts use the same engine."""


def require_engine(name: str, address: str | None) -> None:
    """Raise if an engine cannot be started, as far as can be checked without starting it.

    Raises:
        EngineError: the engine is not installed, or the address is not valid.
    """
    if fault := ENGINES.find(name).fault(address):
        raise EngineError(fault)


def reach_engine(name: str, address: str | None) -> None:
    """Raise if a quick check shows that an engine cannot be reached.

    Raises:
        EngineError: the engine is not installed, the address is not valid, or no scheduler
            answers at the address.
    """
    require_engine(name, address)
    if fault := ENGINES.find(name).unanswered(address):
        raise EngineError(fault)


@contextmanager
def use_engine(name: str, request: EngineRequest) -> Iterator[None]:
    """Use the named engine for all shards that are made within the block.

    Raises:
        EngineError: the engine cannot be used as requested; the message has one line for each
            fault.
    """
    require_engine(name, request.address)
    with ENGINES.find(name).start(request) as running:
        before = _running.set(running)
        try:
            yield
        finally:
            _running.reset(before)


def current_engine() -> StartedEngine:
    """Return the engine of this run, which is the local engine if no other was started."""
    engine = _running.get()
    if engine is None:
        from flows.run.engines.local import ENGINE

        return ENGINE
    return engine
