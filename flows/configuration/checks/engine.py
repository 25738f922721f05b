"""An engine that is not installed, or that cannot use its address."""

from collections.abc import Iterator
from pathlib import Path

from flows.configuration.faults import Problem
from flows.configuration.model import Configuration
from flows.run.engines import ENGINES


def problems(configuration: Configuration, base: Path, *, online: bool) -> Iterator[Problem]:  # noqa: ARG001  # as of `TableCheck`
    """Yield why the engine cannot be started with its address."""
    engine = configuration.engine
    if fault := ENGINES.find(engine.kind).fault(engine.address):
        key = "engine.address" if engine.address else "engine.kind"
        yield Problem(key, fault, unless=("engine.kind",))
