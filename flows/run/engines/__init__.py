"""Engines: where the shards of stages are made. Each module of this folder is one engine.

A run starts its engine once, and all its stages use that engine. If no engine was started, as
in commands of single stages, processes of this machine make the shards.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from benchloom.core.kinds import Kind
from flows.errors import EngineError
from flows.run.engines.base import Engine, EngineRequest, Running

ENGINES = Kind("engine", __name__, Engine, attribute="ENGINE", beside=("base",))
_running: ContextVar[Running | None] = ContextVar("engine", default=None)
"""The engine of the run; flows that it starts share its context."""


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
def started(name: str, request: EngineRequest) -> Iterator[None]:
    """Use the named engine for all shards that are made within the block.

    Raises:
        EngineError: the engine cannot be used as requested; one line for each fault.
    """
    require_engine(name, request.address)
    with ENGINES.find(name).start(request) as running:
        before = _running.set(running)
        try:
            yield
        finally:
            _running.reset(before)


def running() -> Running:
    """Return the engine of this run; the local engine if none was started."""
    engine = _running.get()
    if engine is None:
        from flows.run.engines.local import ENGINE

        return ENGINE
    return engine
