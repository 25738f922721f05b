"""Compare two schemas of a table: find removed, added, renamed and retyped columns.

A rename is recognised only if the table's definition names the old column in `formerly`.
"""

from collections import defaultdict

import msgspec
import pyarrow as pa

from benchloom.storage.tables import ColumnDefinition

Tree = dict[str, "Tree | str"]
Row = dict[str, object]


class SchemaChange(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two schemas of a table.

    The fields list removed (`gone`), added (`came`), renamed and retyped columns. `renamed` has
    texts such as "old -> new".
    """

    gone: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    retyped: tuple[str, ...] = ()


class Shared(msgspec.Struct, frozen=True):
    """A column that is in two compared schemas, with its name in each.

    `inside` are its shared nested fields.
    """

    earlier: str
    later: str
    inside: tuple["Shared", ...] = ()


class Comparison(msgspec.Struct, frozen=True):
    """The differences between two schemas of a table, and the columns that are in both."""

    change: SchemaChange
    shared: tuple[Shared, ...]


def compare_schemas(
    earlier: pa.Schema, later: pa.Schema, columns: tuple[ColumnDefinition, ...]
) -> Comparison:
    """Compare two schemas of a table. `columns` is the current definition of its columns."""
    changes: defaultdict[str, list[str]] = defaultdict(list)
    shared = _shared(_tree(earlier), _tree(later), columns, "", changes)
    change = SchemaChange(**{kind: tuple(sorted(names)) for kind, names in changes.items()})
    return Comparison(change, shared)


def project(row: Row, shared: tuple[Shared, ...], *, is_later: bool) -> Row:
    """Return a row with only the columns that both schemas have, under their later names."""
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


def _shared(
    earlier: Tree,
    later: Tree,
    columns: tuple[ColumnDefinition, ...],
    prefix: str,
    changes: defaultdict[str, list[str]],
) -> tuple[Shared, ...]:
    # Adds to `changes`, whose keys are the fields of SchemaChange.
    defined = {column.name: column for column in columns}
    removed = set(earlier)
    shared: list[Shared] = []
    for name, kind in later.items():
        path = prefix + name
        before = _name_before(name, defined.get(name), earlier, later)
        if before is None:
            changes["came"].append(path)
            continue
        removed.discard(before)
        if before != name:
            changes["renamed"].append(f"{prefix}{before} -> {path}")
        kind_before = earlier[before]
        if isinstance(kind_before, dict) and isinstance(kind, dict):
            fields = defined[name].fields if name in defined else ()
            inside = _shared(kind_before, kind, fields, f"{path}.", changes)
            shared.append(Shared(before, name, inside))
        elif kind_before == kind:
            shared.append(Shared(before, name))
        else:
            changes["retyped"].append(path)
    changes["gone"] += [prefix + name for name in removed]
    return tuple(shared)


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
