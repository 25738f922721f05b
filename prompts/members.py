"""Members of a kind: one per module of a package, found by walking it."""

from types import ModuleType

from benchloom.errors import RunError
from benchloom.members import member_modules

NOT_MEMBERS = frozenset({"base", "__main__", "measure"})


def discover(package: ModuleType, attribute: str, kind: str) -> dict[str, object]:
    """Every module's `attribute` by its `name`, which must be the module's own.

    Raises:
        RunError: a module without a member, or with one that has another name.
    """
    found: dict[str, object] = {}
    for name, loaded in member_modules(package.__name__, package.__path__):
        if name in NOT_MEMBERS:
            continue
        member = getattr(loaded, attribute, None)
        if member is None:
            raise RunError(f"{loaded.__name__} defines no {attribute}")
        if member.name != name:
            raise RunError(f"{kind} '{member.name}' stands in {loaded.__name__}")
        found[member.name] = member
    return found
