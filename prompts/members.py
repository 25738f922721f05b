"""Members of a kind: one per module of a package, found by walking it."""

import importlib
import pkgutil
from types import ModuleType

from benchloom.errors import RunError

NOT_MEMBERS = frozenset({"base", "__main__", "measure"})


def discover(package: ModuleType, attribute: str, kind: str) -> dict[str, object]:
    """Every module's `attribute` by its `name`, which must be the module's own.

    Raises:
        RunError: a module without a member, or with one that has another name.
    """
    found: dict[str, object] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
        if module.name in NOT_MEMBERS:
            continue
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        member = getattr(loaded, attribute, None)
        if member is None:
            raise RunError(f"{loaded.__name__} defines no {attribute}")
        if member.name != module.name:
            raise RunError(f"{kind} '{member.name}' stands in {loaded.__name__}")
        found[member.name] = member
    return found
