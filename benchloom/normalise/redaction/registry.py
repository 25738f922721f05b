"""Discovers the modules of `finders`."""

import importlib
import pkgutil
from functools import cache

import msgspec

from benchloom.errors import RunError
from benchloom.normalise.redaction import finders
from benchloom.normalise.redaction.finder import FieldFinder, Finder, FlowFinder, TextFinder


class Finders(msgspec.Struct, frozen=True):
    """Every finder by module name, sorted."""

    fields: dict[str, FieldFinder]
    flows: dict[str, FlowFinder]
    texts: dict[str, TextFinder]

    def kinds(self) -> tuple[str, ...]:
        """Every kind of value that is replaced, sorted."""
        members: list[Finder] = [*self.fields.values(), *self.flows.values(), *self.texts.values()]
        return tuple(sorted({kind for member in members for kind in member.kinds}))


@cache
def load_finders() -> Finders:
    """Every module of `finders`.

    Raises:
        RunError: a module offers no finder.
    """
    found = Finders({}, {}, {})
    for module in sorted(pkgutil.iter_modules(finders.__path__), key=lambda m: m.name):
        if module.name.startswith("_"):
            continue
        finder = getattr(importlib.import_module(f"{finders.__name__}.{module.name}"), "FINDER", 0)
        if isinstance(finder, FieldFinder):
            found.fields[module.name] = finder
        elif isinstance(finder, FlowFinder):
            found.flows[module.name] = finder
        elif isinstance(finder, TextFinder):
            found.texts[module.name] = finder
        else:
            raise RunError(f"redaction finder '{module.name}' has no FINDER")
    return found
