"""Discover the members of a package: each module defines one, such as a site or a file format.

To add a member, add a file. A kind raises an error for a module without a member, a member of the
wrong type, two members with the same name, and two members that claim the same value. The error for
an unknown name suggests the nearest known name or lists all names.

    SITES = Kind("site", "scrapers.sites", Site, attribute="SITE")
    SITES.find("routinehub")
"""

import importlib
import pkgutil
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from types import MappingProxyType, ModuleType
from typing import Any, Generic, TypeVar, cast

from benchloom.core.errors import RunError

T = TypeVar("T")
S = TypeVar("S")
NamesOf = Callable[[str, T], Iterable[str]]
"""A function from a module's name and its member to the names of the member."""
ClaimsOf = Callable[[T], Iterable[Hashable]]
"""A function from a member to values that no other member may have, such as the files it writes."""
LIKE_ITS_MODULE = "{module}"
"""Pass this as `attribute` if the attribute with the member has the same name as its module."""


class UnknownMemberError(RunError):
    """No member has this name. The message suggests the nearest known name, or lists all names."""


class Kind(Generic[T]):
    """A package in which every module defines one member, such as a site or a file format.

    Args:
        word: the word for a member in messages, such as `site` or `definition format`.
        package: the dotted name of the package. Modules whose name begins with an underscore
            are not members, and neither are the modules in `beside`.
        offers: the class or protocol of a member, or its dotted name, so that a list of names
            does not import it. A protocol has to be `runtime_checkable`.
        attribute: the name of the module's attribute that contains the member. Without it, the
            module itself is the member.
        names: returns the names of a member. By default a member has the name of its module,
            and its `name` attribute, if any, must be equal to it. Default names are listed
            without importing any module, a member with a default name is loaded without
            importing other members, and callers may write `-`, `.` or `_` in the name.
        dashed: write default names with dashes instead of underscores.
        claims: returns the values that only one member may claim.
        beside: modules of the package that support its members and are not members.
    """

    def __init__(
        self,
        word: str,
        package: str,
        offers: type[T] | tuple[type[T], ...] | str,
        *,
        attribute: str | None = None,
        names: NamesOf[T] | None = None,
        claims: ClaimsOf[T] | None = None,
        dashed: bool = False,
        beside: Iterable[str] = (),
    ) -> None:
        self.word = word
        self.package = package
        self._offers = offers
        self._attribute = attribute
        self._names = names
        self._claims = claims
        self._dash = "-" if dashed else "_"
        self._beside = frozenset(beside)
        self._further: tuple[str, ...] = ()
        self._members: Mapping[str, T] | None = None
        self._listed: Mapping[str, str] | None = None
        self._chosen: dict[type, Mapping[str, object]] = {}
        self._derived: dict[Callable[[Mapping[str, T]], object], object] = {}

    def all(self) -> Mapping[str, T]:
        """Return a mapping from name to member, sorted. A member may have several names."""
        if self._members is None:
            self._members = MappingProxyType(self._discover())
        return self._members

    def only(self, offers: type[S]) -> Mapping[str, S]:
        """Return a mapping from name to member, for all members that are instances of a class."""
        if offers not in self._chosen:
            self._chosen[offers] = {n: m for n, m in self.all().items() if isinstance(m, offers)}
        return cast("Mapping[str, S]", self._chosen[offers])

    def apart_from(self, words: Iterable[str]) -> Mapping[str, T]:
        """Return a mapping from name to member, for all names that begin with none of these words.

        The modules of all other members are not imported.
        """
        names = tuple(f"{word}_" for word in words)
        return {name: self.find(name) for name in self.names() if not f"{name}_".startswith(names)}

    def once(self, make: Callable[[Mapping[str, T]], S]) -> S:
        """Return `make(members)`. The result is cached until the members change."""
        if make not in self._derived:
            self._derived[make] = make(self.all())
        return cast("S", self._derived[make])

    def modules(self) -> Mapping[str, str]:
        """Return a mapping from the name of each member to the name of its module, sorted."""
        if self._names is not None:
            self.all()
        return dict(sorted(self._modules().items()))

    def names(self) -> tuple[str, ...]:
        """Return the sorted names of all members."""
        return tuple(sorted(self._modules()) if self._names is None else self.all())

    def find(self, name: str, *, also: Iterable[str] = ()) -> T:
        """Return the member with this name. Raises UnknownMemberError if there is none.

        The message of the error suggests or lists the known names; `also` adds names to these.
        """
        if self._names is None:
            # Only the module of this member is imported: that keeps commands fast.
            spelling = self.spelt(name)
            if self._members is not None and spelling in self._members:
                return self._members[spelling]
            if spelling in self._modules():
                return self._member(spelling, self._modules()[spelling])
        elif name in self.all():
            return self.all()[name]
        raise UnknownMemberError(self.unknown(name, also=also))

    def spelt(self, name: str) -> str:
        """Convert `-`, `.` and `_` in a name to the spelling that names of members have."""
        return self._spelling(_plain(name))

    def unknown(self, name: str, *, also: Iterable[str] = ()) -> str:
        """Return the error message for an unknown name, with the nearest name, or all names.

        `also` adds names to those of the members.
        """
        return f"unknown {self.word} '{name}'; {nearest(name, (*also, *self.names()))}"

    @contextmanager
    def joined(self, package: str) -> Iterator[None]:
        """Inside the `with` block, add the members of another package to this kind."""
        before = self._further
        self._further = (*before, package)
        importlib.invalidate_caches()
        self._forget()
        try:
            yield
        finally:
            self._further = before
            self._forget()

    def _forget(self) -> None:
        self._members = None
        self._listed = None
        self._chosen = {}
        self._derived = {}

    def _modules(self) -> Mapping[str, str]:
        # Lists names without importing the modules.
        if self._listed is None:
            listed: dict[str, str] = {}
            for name, module_name in self._walk():
                self._only_one(listed, name, module_name)
            self._listed = listed
        return self._listed

    def _walk(self) -> Iterator[tuple[str, str]]:
        for package in (self.package, *self._further):
            modules = sorted(module.name for module in pkgutil.iter_modules(_path(package)))
            beside = self._beside if package == self.package else frozenset[str]()
            if missing := sorted(beside.difference(modules)):
                raise RunError(
                    f"{package} has no module '{missing[0]}'; remove it from `beside` of the Kind"
                )
            for name in modules:
                if not name.startswith("_") and name not in beside:
                    yield self._spelling(name), f"{package}.{name}"

    def _discover(self) -> dict[str, T]:
        members: dict[str, T] = {}
        module_names: dict[str, str] = {}
        owners: dict[Hashable, str] = {}
        for name, module_name in self._walk():
            member = self._member(name, module_name)
            for member_name in (name,) if self._names is None else self._names(name, member):
                self._only_one(module_names, member_name, module_name)
                members[member_name] = member
            for claim in self._claims(member) if self._claims else ():
                if owners.setdefault(claim, module_name) != module_name:
                    raise RunError(
                        f"two {self.word}s claim {claim}: {owners[claim]}, {module_name}"
                    )
        self._listed = module_names
        return dict(sorted(members.items()))

    def _only_one(self, module_names: dict[str, str], name: str, module_name: str) -> None:
        if name in module_names:
            raise RunError(
                f"two {self.word}s are called '{name}': {module_names[name]}, {module_name}"
            )
        module_names[name] = module_name

    def _member(self, name: str, module_name: str) -> T:
        module = importlib.import_module(module_name)
        attribute = (self._attribute or "").format(module=module_name.rpartition(".")[2])
        offered = getattr(module, attribute, None) if attribute else module
        offers = _import_member(self._offers) if isinstance(self._offers, str) else self._offers
        if not isinstance(offered, offers):
            what = attribute or " and ".join(sorted(_missing(offers, module)))
            raise RunError(f"{module_name} defines no {what}, so it is not a {self.word}")
        own = getattr(offered, "name", name) if attribute and self._names is None else name
        if own != name:
            raise RunError(
                f"{module_name} defines the {self.word} '{own}', but it must have the name of its "
                f"module; rename it to '{name}'"
            )
        return offered

    def _spelling(self, module: str) -> str:
        return module.replace("_", self._dash)


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the end of an error message: the nearest known name, or all known names."""
    by_lower = {entry.lower(): entry for entry in sorted(names)}
    close_matches = get_close_matches(name.lower(), by_lower, 1, 0.6)
    if close_matches:
        return f"did you mean '{by_lower[close_matches[0]]}'?"
    return f"known: {', '.join(by_lower.values())}"


def _plain(name: str) -> str:
    return name.replace("-", "_").replace(".", "_")


def _import_member(name: str) -> type[Any]:
    module, _, class_name = name.rpartition(".")
    imported: type[Any] = getattr(importlib.import_module(module), class_name)
    return imported


def _path(package: str) -> Iterable[str]:
    return importlib.import_module(package).__path__


def _missing(offers: object, module: ModuleType) -> Iterator[str]:
    for protocol in offers if isinstance(offers, tuple) else (offers,):
        declared = {*getattr(protocol, "__annotations__", {}), *vars(protocol)} - {"name"}
        yield from (n for n in sorted(declared) if not n.startswith("_") and not hasattr(module, n))
