"""Kinds: folders whose modules each offer one member, found by walking them.

Adding a member is adding a file. A kind refuses a module that offers none, one that offers
something else, and two members of one name; an unknown name is answered with the known ones.

    SITES = Kind("site", "scrapers.sites", Site, attribute="SITE")
    SITES.find("routinehub")
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from types import MappingProxyType, ModuleType
from typing import Generic, TypeVar

from benchloom.errors import RunError

T = TypeVar("T")
NamesOf = Callable[[str, T], Iterable[str]]
"""The names of a member, from the name of its module and itself."""


class UnknownMemberError(RunError):
    """No member of that name; the message gives the nearest, or all of them."""


class Kind(Generic[T]):
    """One kind of member: every module of a package offers one.

    Args:
        word: what a member is called in messages: `site`, `definition format`.
        package: the dotted name of the package; modules whose name begins with an underscore are
            no members, and neither are those in `beside`.
        offers: the class or protocol of a member; a protocol has to be `runtime_checkable`.
        attribute: what a module calls its member; without one the module itself is the member.
        names: the names of a member; by default the name of its module, and a member that has a
            `name` of its own must be called like its module.
        beside: modules of the package that help members and are none.
    """

    def __init__(
        self,
        word: str,
        package: str,
        offers: type[T] | tuple[type[T], ...],
        *,
        attribute: str | None = None,
        names: NamesOf[T] | None = None,
        beside: Iterable[str] = (),
    ) -> None:
        self.word = word
        self.package = package
        self._offers = offers
        self._attribute = attribute
        self._names = names or self._own_name
        self._beside = frozenset(beside)
        self._further: tuple[str, ...] = ()
        self._found: Mapping[str, T] | None = None

    def all(self) -> Mapping[str, T]:
        """Every member by name, sorted; a member of several names stands under each.

        Raises:
            RunError: a module offers no member, or two members share a name.
        """
        if self._found is None:
            self._found = MappingProxyType(self._discover())
        return self._found

    def names(self) -> tuple[str, ...]:
        """The known names, sorted."""
        return tuple(self.all())

    def find(self, name: str) -> T:
        """The member of a name.

        Raises:
            UnknownMemberError: there is none; the message says which there are.
        """
        members = self.all()
        if name not in members:
            raise UnknownMemberError(f"unknown {self.word} '{name}'; {nearest(name, members)}")
        return members[name]

    @contextmanager
    def joined(self, package: str) -> Iterator[None]:
        """Members of another package stand beside those of this one inside the block."""
        before = self._further
        self._further, self._found = (*before, package), None
        try:
            yield
        finally:
            self._further, self._found = before, None

    def _discover(self) -> dict[str, T]:
        found: dict[str, T] = {}
        places: dict[str, str] = {}
        for package in (self.package, *self._further):
            for name, module in _modules(package):
                if name in self._beside:
                    continue
                member = self._member(module)
                for given in self._names(name, member):
                    if given in found:
                        where = f"{places[given]} and {module.__name__}"
                        raise RunError(f"two {self.word}s are called '{given}': {where}")
                    found[given] = member
                    places[given] = module.__name__
        return dict(sorted(found.items()))

    def _member(self, module: ModuleType) -> T:
        offered = getattr(module, self._attribute, None) if self._attribute else module
        if not isinstance(offered, self._offers):
            what = self._attribute or " and ".join(sorted(_missing(self._offers, module)))
            raise RunError(f"{module.__name__} offers no {what}, so it is no {self.word}")
        return offered

    def _own_name(self, module: str, member: T) -> Iterable[str]:
        name = getattr(member, "name", module) if self._attribute else module
        if name != module:
            raise RunError(f"the {self.word} '{name}' stands in a module called '{module}'")
        return (module,)


def nearest(name: str, known: Iterable[str]) -> str:
    """What to write instead of an unknown name: the nearest known one, else all of them."""
    by_lower = {entry.lower(): entry for entry in sorted(known)}
    found = get_close_matches(name.lower(), by_lower, 1, 0.6)
    if found:
        return f"did you mean '{by_lower[found[0]]}'?"
    return f"known: {', '.join(by_lower.values())}"


def _modules(package: str) -> Iterator[tuple[str, ModuleType]]:
    """The modules of a package by name, sorted, imported one by one."""
    path = importlib.import_module(package).__path__
    for module in sorted(pkgutil.iter_modules(path), key=lambda found: found.name):
        if not module.name.startswith("_"):
            yield module.name, importlib.import_module(f"{package}.{module.name}")


def _missing(offers: object, module: ModuleType) -> Iterator[str]:
    """The attributes of a protocol that a module lacks."""
    for one in offers if isinstance(offers, tuple) else (offers,):
        declared = {*getattr(one, "__annotations__", {}), *vars(one)} - {"name"}
        yield from (n for n in declared if not n.startswith("_") and not hasattr(module, n))
