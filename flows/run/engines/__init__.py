"""Engines: where the shards of stages are made. One engine is a module of this folder.

A run starts its engine once, and whatever stage it comes to uses it. Where nobody started one, as
in commands of single stages, shards are made by processes of this machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from benchloom.core.kinds import Kind
from flows.errors import EngineError
from flows.run.engines.base import Engine, Running, Wanted

ENGINES = Kind("engine", __name__, Engine, attribute="ENGINE", beside=("base",))
_running: ContextVar[Running | None] = ContextVar("engine", default=None)
"""The engine of the run; flows that it starts share its context."""


def require_engine(name: str, address: str | None) -> None:
    """Refuse an engine that cannot be started, as far as can be seen without starting it.

    Raises:
        EngineError: it is not installed, or the address is none.
    """
    if fault := ENGINES.find(name).fault(address):
        raise EngineError(fault)


def reach_engine(name: str, address: str | None) -> None:
    """Refuse an engine that is not there, as far as can be seen in a moment.

    Raises:
        EngineError: as `require_engine`, or nobody answers at the address.
    """
    require_engine(name, address)
    if fault := ENGINES.find(name).unanswered(address):
        raise EngineError(fault)


@contextmanager
def started(name: str, request: Wanted) -> Iterator[None]:
    """Have the engine of this name make what the block makes.

    Raises:
        EngineError: it cannot be used as it is wanted; a line for each fault.
    """
    require_engine(name, request.address)
    with ENGINES.find(name).start(request) as running:
        before = _running.set(running)
        try:
            yield
        finally:
            _running.reset(before)


def running() -> Running:
    """The engine of this run."""
    engine = _running.get()
    if engine is None:
        from flows.run.engines.local import ENGINE

        return ENGINE
    return engine
