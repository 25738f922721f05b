"""Compare two schemas of a table: columns removed, added, renamed or with another type.

A rename is recognised only if the definition names the old column in `formerly`.
"""

import msgspec
import pyarrow as pa

from benchloom.storage.tables import ColumnDefinition

Tree = dict[str, "Tree | str"]
Row = dict[str, object]


class SchemaChange(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two schemas; `renamed` contains texts `old -> new`."""

    gone: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    retyped: tuple[str, ...] = ()


class Shared(msgspec.Struct, frozen=True):
    """A column in both schemas, with its name in each; `inside` are the shared nested fields."""

    earlier: str
    later: str
    inside: tuple["Shared", ...] = ()


class Comparison(msgspec.Struct, frozen=True):
    """The changes between two schemas, and the columns that are in both."""

    change: SchemaChange
    shared: tuple[Shared, ...]


def compare_schemas(
    earlier: pa.Schema, later: pa.Schema, columns: tuple[ColumnDefinition, ...]
) -> Comparison:
    """Compare two schemas of a table; `columns` is its current definition."""
    walk = _Walk()
    shared = walk.compare(_tree(earlier), _tree(later), columns, "")
    change = SchemaChange(
        gone=tuple(sorted(walk.gone)),
        came=tuple(sorted(walk.came)),
        renamed=tuple(sorted(walk.renamed)),
        retyped=tuple(sorted(walk.retyped)),
    )
    return Comparison(change, shared)


def project(row: Row, shared: tuple[Shared, ...], *, is_later: bool) -> Row:
    """Return the shared columns of a row of either release, under the later release's names."""
    projection: Row = {}
    for column in shared:
        value = row[column.later if is_later else column.earlier]
        projection[column.later] = _inside(value, column, is_later=is_later)
    return projection


def _inside(value: object, column: Shared, *, is_later: bool) -> object:
    if column.inside and isinstance(value, list):
        return [_inside(element, column, is_later=is_later) for element in value]
    if column.inside and isinstance(value, dict):
        return project(value, column.inside, is_later=is_later)
    return value


class _Walk:
    def __init__(self) -> None:
        self.gone: list[str] = []
        self.came: list[str] = []
        self.renamed: list[str] = []
        self.retyped: list[str] = []

    def compare(
        self, earlier: Tree, later: Tree, columns: tuple[ColumnDefinition, ...], prefix: str
    ) -> tuple[Shared, ...]:
        defined = {column.name: column for column in columns}
        left = set(earlier)
        shared: list[Shared] = []
        for name, kind in later.items():
            before = _name_before(name, defined.get(name), earlier, later)
            if before is None:
                self.came.append(prefix + name)
                continue
            left.discard(before)
            if before != name:
                self.renamed.append(f"{prefix}{before} -> {prefix}{name}")
            shared_column = self._pair(before, name, earlier[before], kind, defined, prefix=prefix)
            if shared_column is not None:
                shared.append(shared_column)
        self.gone += [prefix + name for name in left]
        return tuple(shared)

    def _pair(
        self,
        before: str,
        name: str,
        earlier: "Tree | str",
        later: "Tree | str",
        defined: dict[str, ColumnDefinition],
        *,
        prefix: str,
    ) -> Shared | None:
        if isinstance(earlier, dict) and isinstance(later, dict):
            fields = defined[name].fields if name in defined else ()
            return Shared(before, name, self.compare(earlier, later, fields, f"{prefix}{name}."))
        if earlier != later:
            self.retyped.append(prefix + name)
            return None
        return Shared(before, name)


def _name_before(
    name: str, defined: ColumnDefinition | None, earlier: Tree, later: Tree
) -> str | None:
    if name in earlier:
        return name
    former = defined.formerly if defined is not None else None
    return former if former is not None and former in earlier and former not in later else None


def _tree(fields: "pa.Schema | pa.StructType") -> Tree:
    return {field.name: _kind(field.type) for field in fields}


def _kind(kind: pa.DataType) -> "Tree | str":
    if pa.types.is_list(kind):
        inner = _kind(kind.value_type)
        return inner if isinstance(inner, dict) else f"list<{inner}>"
    return _tree(kind) if pa.types.is_struct(kind) else str(kind)
