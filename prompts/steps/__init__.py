"""LLM steps, one per module: typed input, template and typed reply."""

import sys
from functools import cache
from typing import Any, cast

from benchloom.errors import RunError
from prompts.members import discover
from prompts.steps.base import Step

AnyStep = Step[Any]


@cache
def steps() -> dict[str, AnyStep]:
    """Every step by name."""
    return cast("dict[str, AnyStep]", discover(sys.modules[__name__], "STEP", "step"))


def find_step(name: str) -> AnyStep:
    """The step called `name`.

    Raises:
        RunError: unknown; the message lists the known ones.
    """
    step = steps().get(name)
    if step is None:
        raise RunError(f"unknown step '{name}'; known: {', '.join(sorted(steps()))}")
    return step
