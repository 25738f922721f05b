"""What a function uses, definition by definition, through all modules of our own packages.

A name leads to its definition, across imports and what packages hand on. A text that is the name of
one of our modules or packages (as a kind names where its members stand), or a package's own
`__name__` or
`__path__`, uses all public modules there; a text that is the name of a data file beside the module
uses the file. What a function is given by its caller is not seen: name it as one more root.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from benchloom.code_digests.source import Definition, Folders, ModuleSource, read_module
from benchloom.errors import RunError
from benchloom.garbage import no_collections
from benchloom.identity import digest_of_parts, tagged_digest

ALWAYS = "*"
"""The name under which stands what a module does while it is imported."""


_DISCOVERED_BY = frozenset({"__name__", "__path__"})
"""What of a package is handed to whoever looks for its members."""


class Closure(msgspec.Struct, frozen=True):
    """Definitions and data files with their digests, and the foreign modules they import."""

    definitions: Mapping[str, str]
    files: Mapping[str, str]
    foreign: frozenset[str]

    def modules(self) -> frozenset[str]:
        """The modules of which something is used."""
        return frozenset(place.partition(":")[0] for place in self.definitions)

    def digest(self) -> str:
        """One digest of all of it."""
        parts = [
            f"{place} {digest}"
            for found in (self.definitions, self.files)
            for place, digest in sorted(found.items())
        ]
        return digest_of_parts("code", parts)


class _Found(msgspec.Struct, frozen=True):
    """One definition: where it leads to, and its digest, in which that is included."""

    digest: str
    leads_to: frozenset[str]
    foreign: frozenset[str]
    files: frozenset[Path]


class Code:
    """The code of some packages, given as name and folder; every module is read once."""

    def __init__(self, packages: Mapping[str, Path]) -> None:
        self._packages = packages
        self._folders = Folders(packages)
        self._modules: dict[str, ModuleSource | None] = {}
        self._found: dict[str, _Found] = {}

    def closure(self, roots: Iterable[str], without: Iterable[str] = ()) -> Closure:
        """Everything that the roots use.

        Roots are `module:name`, or `module` for all of it. `without` names modules, packages
        (with a colon behind it the package's own module alone) or definitions at which the walk
        ends.

        Raises:
            RunError: a root does not exist, or a source cannot be read.
        """
        ends = tuple(without)
        below = tuple(found for end in ends for found in _within(end))
        pending = [self._root(root) for root in roots]
        whole: set[str] = set()
        seen: dict[str, str] = {}
        foreign: set[str] = set()
        files: set[Path] = set()
        # Trees are many small objects without cycles; collecting doubles the time to make them.
        with no_collections():
            while pending:
                place = pending.pop()
                if place in seen or place in whole or place in ends or place.startswith(below):
                    continue
                if ":" not in place:
                    whole.add(place)
                    pending.extend(self._all_of(place))
                    continue
                found = self._definition(place)
                seen[place] = found.digest
                pending.extend(found.leads_to)
                foreign |= found.foreign
                files |= found.files
        digests = {self._told(file): _digest(file) for file in files}
        return Closure(seen, digests, frozenset(foreign))

    def _root(self, root: str) -> str:
        module, _, name = root.partition(":")
        source = self._module(module)
        if source is None or (name and name not in source.definitions):
            raise RunError(f"no code is called '{root}'")
        return root

    def _definition(self, place: str) -> _Found:
        if place not in self._found:
            self._found[place] = self._follow(place)
        return self._found[place]

    def _follow(self, place: str) -> _Found:
        module, _, name = place.partition(":")
        source = self._module(module)
        if source is None:
            raise RunError(f"no code is called '{place}'")
        definition = source.always if name == ALWAYS else source.definitions[name]
        if definition is None:
            raise RunError(f"no code is called '{place}'")
        targets = {use: self._targets(source, definition, use) for use in definition.uses}
        leads_to = {target for found in targets.values() for target in found}
        foreign = {target for target in leads_to if not self._is_own(target)}
        leads_to -= foreign
        leads_to |= {target for text in definition.texts for target in self._named(text)}
        if source.always:
            leads_to.add(f"{module}:{ALWAYS}")
        bound = sorted(f"{use} {target}" for use in targets for target in sorted(targets[use]))
        return _Found(
            digest_of_parts("definition", [definition.digest, *bound]),
            frozenset(leads_to),
            frozenset(target.partition(":")[0] for target in foreign),
            frozenset(self._files(source, definition.texts)),
        )

    def _targets(self, source: ModuleSource, definition: Definition, use: str) -> list[str]:
        """What a dotted name in a module leads to: definitions, or a foreign module."""
        first, *rest = use.split(".")
        if first in definition.imports:
            return list(self._imported(definition.imports[first], rest))
        if first in source.definitions:
            return [f"{source.name}:{first}"]
        if first in source.imports:
            return list(self._imported(source.imports[first], rest))
        if first in _DISCOVERED_BY and source.is_package:
            return list(self._members(source))
        return []

    def _imported(self, target: str, rest: list[str]) -> Iterator[str]:
        """What an import leads to, with the attributes that are taken of it."""
        module, _, name = target.partition(":")
        if not self._is_own(module):
            yield target
            return
        if name:
            rest = [name, *rest]
        source = self._module(module)
        while rest and (inner := self._module(f"{module}.{rest[0]}")) is not None:
            module, source, rest = f"{module}.{rest[0]}", inner, rest[1:]
        if source is None:
            raise RunError(f"no module is called '{module}'")
        if not rest:
            yield module
        elif rest[0] in source.definitions:
            yield f"{module}:{rest[0]}"
        elif rest[0] in source.imports:
            if source.always:
                yield f"{module}:{ALWAYS}"
            yield from self._imported(source.imports[rest[0]], rest[1:])
        elif rest[0] in _DISCOVERED_BY:
            yield from self._members(source)
        elif source.always:
            yield f"{module}:{ALWAYS}"

    def _all_of(self, module: str) -> Iterator[str]:
        """Every name of a module, those included that it imports from ours."""
        source = self._module(module)
        if source is None:
            raise RunError(f"no module is called '{module}'")
        yield from (f"{module}:{name}" for name in source.definitions)
        if source.always:
            yield f"{module}:{ALWAYS}"
        for target in source.imports.values():
            if self._is_own(target):
                yield from self._imported(target, [])

    def _named(self, text: str) -> Iterator[str]:
        """What a text uses that is the name of a module or package of ours."""
        if "." in text and text.replace(".", "").isidentifier():
            source = self._module(text)
            if source is not None:
                yield from self._members(source) if source.is_package else [text]

    def _members(self, package: ModuleSource) -> Iterator[str]:
        """The public modules of a package."""
        for entry in sorted(self._folders.names(package.folder)):
            stem = Path(entry).stem
            if not entry.startswith("_") and stem.isidentifier():
                name = f"{package.name}.{stem}"
                if self._folders.find(name) is not None:
                    yield name

    def _files(self, source: ModuleSource, texts: frozenset[str]) -> Iterator[Path]:
        """Data files beside a module that it names."""
        for text in texts & self._folders.names(source.folder):
            file = source.folder / text
            if "." in text and not text.endswith(".py") and file.is_file():
                yield file

    def _module(self, name: str) -> ModuleSource | None:
        if name not in self._modules:
            path = self._folders.find(name)
            self._modules[name] = None if path is None else read_module(name, path)
        return self._modules[name]

    def _is_own(self, target: str) -> bool:
        return target.partition(":")[0].split(".")[0] in self._packages

    def _told(self, file: Path) -> str:
        """The name of a data file, the same wherever the packages lie."""
        for folder in self._packages.values():
            if file.is_relative_to(folder):
                return file.relative_to(folder.parent).as_posix()
        return file.name


def _within(end: str) -> tuple[str, ...]:
    """How the places begin that are part of a module, package or definition."""
    return (end,) if end[-1] == ":" else (f"{end}.", f"{end}:")


def _digest(file: Path) -> str:
    return tagged_digest("file", file.read_bytes())
