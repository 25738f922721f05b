"""The processes that look at texts: those of the engine that runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from flows.stages.engines import running
from flows.stages.generate.making import Hands


@contextmanager
def hands(workers: int) -> Iterator[Hands]:
    """Where batches are made; `workers` is how many processes of this machine may be used."""
    engine = running()
    with engine.mapping(workers) as run:
        yield Hands(run, engine.at_once(workers))
