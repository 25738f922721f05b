"""Modules of our own packages as definitions with what each one uses, read without importing them.

A definition is written down without comments, docstrings, formatting and line numbers, and in the
same way by every version of Python.
"""

import ast
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from benchloom.errors import RunError

_SILENT = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
"""Fields that say how something was written, or that follow from where it stands."""

_IMPORTS = (ast.Import, ast.ImportFrom)
_NAMES = frozenset({ast.Name, ast.Attribute})


_PACKAGE = "__init__.py"


class Definition(msgspec.Struct, frozen=True):
    """What one name of a module stands for.

    `uses` are the dotted names in it, `texts` the string constants, `imports` what it imports
    itself.
    """

    digest: str
    uses: frozenset[str]
    texts: frozenset[str]
    imports: Mapping[str, str]


class ModuleTree(msgspec.Struct, frozen=True):
    """One module as it is parsed: the statements behind its names, and what its imports bind."""

    name: str
    is_package: bool
    statements: Mapping[str, tuple[ast.stmt, ...]]
    imports: Mapping[str, str]
    always: tuple[ast.stmt, ...]


class ModuleSource(msgspec.Struct, frozen=True):
    """One module: the definitions of its names, and what its imports bind.

    `imports` leads from a name to `module` or `module:name`. `always` is what the module does while
    it is imported, whoever needs what of it.
    """

    name: str
    folder: Path
    is_package: bool
    definitions: Mapping[str, Definition]
    imports: Mapping[str, str]
    always: Definition | None


class Folders:
    """Where the modules of some packages lie; a folder is listed once for all that is asked of it.

    Most names that are looked for are attributes and no modules: files are asked for thousands of
    times where there are six hundred.
    """

    def __init__(self, packages: Mapping[str, Path]) -> None:
        self._packages = packages
        self._listed: dict[Path, frozenset[str]] = {}

    def find(self, name: str) -> Path | None:
        """The file of a module of these packages, None where it is none."""
        first, *rest = name.split(".")
        if first not in self._packages:
            return None
        place = self._packages[first]
        for folder in rest[:-1]:
            place /= folder
        if not rest:
            return place / _PACKAGE if _PACKAGE in self.names(place) else None
        beside = self.names(place)
        if rest[-1] in beside and _PACKAGE in self.names(place / rest[-1]):
            return place / rest[-1] / _PACKAGE
        return place / f"{rest[-1]}.py" if f"{rest[-1]}.py" in beside else None

    def names(self, folder: Path) -> frozenset[str]:
        """What lies in a folder; nothing where there is none."""
        if folder not in self._listed:
            try:
                self._listed[folder] = frozenset(os.listdir(folder))  # noqa: PTH208  names alone
            except (FileNotFoundError, NotADirectoryError):
                self._listed[folder] = frozenset()
        return self._listed[folder]


def read_module(name: str, path: Path) -> ModuleSource:
    """The module in a file, without its tree, which takes many times the memory of the source.

    Raises:
        RunError: the file is no source of this Python.
    """
    tree = read_tree(name, path)
    return ModuleSource(
        name=name,
        folder=path.parent,
        is_package=tree.is_package,
        definitions={
            one: read_definition(tree, statements) for one, statements in tree.statements.items()
        },
        imports=tree.imports,
        always=read_definition(tree, tree.always) if tree.always else None,
    )


def read_tree(name: str, path: Path) -> ModuleTree:
    """The module in a file, parsed.

    Raises:
        RunError: the file is no source of this Python.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError) as error:
        raise RunError(f"{path}: {error}") from error
    is_package = path.name == _PACKAGE
    imports: dict[str, str] = {}
    named: dict[str, list[ast.stmt]] = {}
    always: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, _IMPORTS):
            imports |= dict(_bound(statement, name, is_package=is_package))
        elif names := _names_of(statement):
            for one in names:
                named.setdefault(one, []).append(statement)
        elif not _is_typing_only(statement):
            always.append(statement)
            for node in ast.walk(statement):
                if isinstance(node, _IMPORTS):
                    imports |= dict(_bound(node, name, is_package=is_package))
    return ModuleTree(
        name=name,
        is_package=is_package,
        statements={one: tuple(found) for one, found in named.items()},
        imports=imports,
        always=tuple(found for found in always if not _is_text(found)),
    )


def read_definition(module: ModuleTree, statements: tuple[ast.stmt, ...]) -> Definition:
    """Some statements of a module: how they read, and what they use."""
    writer = _Writer()
    for statement in statements:
        writer.write(statement)
    imports: dict[str, str] = {}
    for node in writer.imports:
        imports |= dict(_bound(node, module.name, is_package=module.is_package))
    digest = hashlib.sha256("\0".join(writer.parts).encode()).hexdigest()
    return Definition(digest, frozenset(writer.uses), frozenset(writer.texts), imports)


class _Writer:
    """Writes down a tree in pre-order; empty fields are left out, since versions differ in them."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.uses: set[str] = set()
        self.texts: set[str] = set()
        self.imports: list[ast.Import | ast.ImportFrom] = []

    def write(self, node: ast.AST) -> None:
        """Add a node and all below it."""
        kind = type(node)
        if kind in _NAMES and (dotted := _dotted(node)):
            self.uses.add(dotted)
            self.parts.append(dotted)
        elif isinstance(node, ast.Constant):
            self._write_constant(node.value)
        elif isinstance(node, ast.JoinedStr):
            self._write_joined(node.values)
        else:
            if isinstance(node, _IMPORTS):
                self.imports.append(node)
            self.parts.append(kind.__name__)
            for field in kind._fields:
                if field in _SILENT:
                    continue
                value = getattr(node, field, None)
                if value is not None:
                    self._write_field(field, value)

    def _write_field(self, field: str, value: object) -> None:
        """A node, a list of them or of names, or a name; docstrings are left out."""
        if isinstance(value, ast.AST):
            self.parts.append(field)
            self.write(value)
        elif isinstance(value, list):
            kept = [node for node in value if not _is_text(node)] if field == "body" else value
            if kept:
                self.parts.append(f"{field} {len(kept)}")
            for node in kept:
                if isinstance(node, ast.AST):
                    self.write(node)
                else:
                    self.parts.append(ascii(node))
        else:
            self.parts += (field, ascii(value))

    def _write_constant(self, value: object) -> None:
        # `ascii`, since which characters can be printed differs between versions.
        self.parts += ("Constant", ascii(value))
        if isinstance(value, str):
            self.texts.add(value)

    def _write_joined(self, values: list[ast.expr]) -> None:
        """An f-string; versions cut its plain stretches differently."""
        self.parts.append("JoinedStr")
        plain = ""
        for value in values:
            if isinstance(value, ast.Constant):
                plain += str(value.value)
                continue
            self.parts.append(ascii(plain))
            plain = ""
            self.write(value)
        self.parts.append(ascii(plain))


def _dotted(node: ast.AST) -> str | None:
    """`a.b.c` where an expression is only that."""
    if isinstance(node, ast.Name):
        return node.id
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else None


def _is_text(node: object) -> bool:
    """Whether a statement is a docstring, of a class, a function or an attribute."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _names_of(statement: ast.stmt) -> list[str]:
    """The names a plain top-level statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    names: list[str] = []
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Tuple | ast.List):
            targets.extend(target.elts)
        elif isinstance(target, ast.Starred):
            targets.append(target.value)
        elif isinstance(target, ast.Name):
            names.append(target.id)
        else:
            return []  # an attribute or an entry of something else: done for its effect
    return names


def _is_typing_only(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and _dotted(statement.test) in {
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    }


def _bound(
    node: ast.Import | ast.ImportFrom, module: str, *, is_package: bool
) -> Iterator[tuple[str, str]]:
    """The names an import binds, with what they lead to."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        return
    parts = module.split(".")[: -node.level or None] if node.level else []
    if node.level and is_package:
        parts = module.split(".")[: 1 - node.level or None]
    base = ".".join([*parts, *([node.module] if node.module else [])])
    for alias in node.names:
        yield alias.asname or alias.name, f"{base}:{alias.name}"
