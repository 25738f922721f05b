"""One input kind under fuzzing, and how targets are found."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from random import Random

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind


class Target(msgspec.Struct, frozen=True):
    """One input kind: good files of it, and the code that must stand every mutant of them."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]
    mutate: Callable[[Random, Sequence[bytes]], bytes] | None = None
    words: tuple[bytes, ...] = ()
    accepts: Callable[[bytes], bool] | None = None


def load_target(module: str) -> Target:
    """The target a module offers.

    Raises:
        RunError: it offers none.
    """
    target = getattr(importlib.import_module(module), "TARGET", None)
    if not isinstance(target, Target):
        raise RunError(f"{module} offers no TARGET")
    return target


def find_targets() -> Mapping[str, str]:
    """The module of every target by the target's name, sorted."""
    return TARGETS.modules()


TARGETS = Kind("fuzz target", "tests.fuzz.targets", Target, attribute="TARGET", dashed=True)
