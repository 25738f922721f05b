"""Define what a fuzz target is, and find the targets by their names."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from random import Random

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind


class Target(msgspec.Struct, frozen=True):
    """An input kind to fuzz: valid files of that kind and the code that reads their mutants."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]
    mutate: Callable[[Random, Sequence[bytes]], bytes] | None = None
    words: tuple[bytes, ...] = ()
    accepts: Callable[[bytes], bool] | None = None


def load_target(module: str) -> Target:
    """Return the target that a module defines.

    Raises:
        RunError: the module defines none.
    """
    target = getattr(importlib.import_module(module), "TARGET", None)
    if not isinstance(target, Target):
        raise RunError(f"{module} offers no TARGET")
    return target


def find_targets() -> Mapping[str, str]:
    """Return the module of every target by the target's name, sorted by name."""
    return TARGETS.modules()


TARGETS = Kind("fuzz target", "tests.fuzz.targets", Target, attribute="TARGET", dashed=True)
