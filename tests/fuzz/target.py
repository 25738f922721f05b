"""One input kind under fuzzing, and how targets are found."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec

from benchloom.errors import RunError
from benchloom.members import member_modules

PACKAGE = "tests.fuzz.targets"


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


def find_targets() -> dict[str, str]:
    """The module of every target by the target's name, sorted.

    Raises:
        RunError: two modules claim one name, or a module offers no target.
    """
    found: dict[str, str] = {}
    for name, _ in member_modules(PACKAGE, [str(Path(__file__).parent / "targets")]):
        module = f"{PACKAGE}.{name}"
        target = load_target(module)
        if target.name in found:
            raise RunError(f"two fuzz targets are named '{target.name}'")
        found[target.name] = module
    return dict(sorted(found.items()))
