"""Stages that are watched while their shards are made."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from flows.run.output import Output
from flows.run.stage import AnyStage


def watched(stage: AnyStage, before: Callable[[int], None]) -> AnyStage:
    """The stage, which calls a function with the number of each shard before it makes it."""
    make = partial(_watched, stage.make, before)
    return replace(stage, make=make, concerns=stage.concern)


def _watched(
    make: Callable[..., None],
    before: Callable[[int], None],
    shared: Any,
    shard: Any,
    output: Output,
) -> None:
    before(output.number)
    make(shared, shard, output)
