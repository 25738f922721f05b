"""Checks the table [engine]: the engine must be installed and its address valid."""

from collections.abc import Iterator

from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem
from flows.run.engines import ENGINES


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield a problem if the engine cannot be started with the configured address."""
    engine = context.configuration.engine
    if fault := ENGINES.find(engine.kind).fault(engine.address):
        key = "engine.address" if engine.address else "engine.kind"
        yield Problem(key, fault, unless=("engine.kind",))
