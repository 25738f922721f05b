"""Discovers the modules of `finders`."""

from functools import cache

import msgspec

from benchloom.errors import RunError
from benchloom.members import member_modules
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
    for name, module in member_modules(finders.__name__, finders.__path__):
        finder = getattr(module, "FINDER", 0)
        if isinstance(finder, FieldFinder):
            found.fields[name] = finder
        elif isinstance(finder, FlowFinder):
            found.flows[name] = finder
        elif isinstance(finder, TextFinder):
            found.texts[name] = finder
        else:
            raise RunError(f"redaction finder '{name}' has no FINDER")
    return found
