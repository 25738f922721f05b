"""Members of a kind: one per module of a package, found by walking it."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType


def member_modules(package: str, path: Iterable[str]) -> Iterator[tuple[str, ModuleType]]:
    """The modules of a package by name, sorted, imported one by one.

    `path` is the package's `__path__`. Modules whose name begins with an underscore are no members.
    """
    for module in sorted(pkgutil.iter_modules(path), key=lambda found: found.name):
        if not module.name.startswith("_"):
            yield module.name, importlib.import_module(f"{package}.{module.name}")
