"""Read the definitions of published tables from the files `datasets/<table>/dataset.yaml`."""

from collections.abc import Iterator
from functools import cache

import msgspec
import pyarrow as pa

from benchloom.core.data_files import tables_folder
from benchloom.core.errors import RunError

DATASETS = tables_folder()

ALWAYS = "always"
"""A column definition whose `json` has this value contains only JSON texts."""
PLANNING_PATHS = "planning_paths"
_PRIMITIVES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


class ColumnDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The definition of a column, or of a field of a struct.

    `type` is a primitive, `list<primitive>`, `struct` or `list<struct>`. `repetitive` columns are
    stored with a dictionary of their values. `formerly` is the name in earlier releases. `json` is
    `always` if all texts are JSON, or the name of a boolean column that says which rows have JSON.
    """

    name: str
    type: str
    description: str
    nullable: bool = False
    fields: tuple["ColumnDefinition", ...] = ()
    repetitive: bool = False
    formerly: str | None = None
    json: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether the column contains lists."""
        return self.type.startswith("list<")

    @property
    def is_nested(self) -> bool:
        """Whether the column contains lists or structs, whose Parquet statistics are useless."""
        return self.is_list or self.item_type == "struct"

    @property
    def item_type(self) -> str:
        """The type of the elements of a list column, or the type of any other column."""
        return self.type[5:-1] if self.is_list else self.type

    def arrow_type(self) -> pa.DataType:
        """Return the Arrow type.

        It does not say whether nulls are allowed, which the writer checks.
        """
        if self.item_type == "struct":
            item: pa.DataType = pa.struct([pa.field(f.name, f.arrow_type()) for f in self.fields])
        else:
            item = _PRIMITIVES[self.item_type]
        return pa.list_(item) if self.is_list else item


class ReferenceDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A foreign key of a table: its `columns` refer to a row of one of the tables in `to`.

    `to` maps each of these tables to its columns that have the same values as `columns`. A row with
    a null in one of `columns` refers to nothing. A dotted column is inside lists or structs, and
    must be the only column. The values match exactly one row, or several if `many` is true, or none
    if `open` is true. `where` limits the key to rows in which these columns contain one of the
    listed texts.
    """

    columns: tuple[str, ...]
    to: dict[str, tuple[str, ...]]
    many: bool = False
    open: bool = False
    where: dict[str, tuple[str, ...]] = {}

    def __str__(self) -> str:
        """Return the foreign key as text, such as `a + b -> rows.a + b or others.c`."""
        targets = " or ".join(
            f"{table}.{' + '.join(columns)}" for table, columns in self.to.items()
        )
        clauses = [f"{' + '.join(self.columns)} -> {targets}"]
        clauses += [f"for {column} {', '.join(values)}" for column, values in self.where.items()]
        clauses += ["one or several rows"] if self.many else ["one row"]
        clauses += ["or none"] if self.open else []
        return "; ".join(clauses)


class RedactionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for how the columns of a table are searched for secrets. By default, text is searched.

    Each field lists dotted paths of columns. `ids` are generated ids, which are not searched for
    secret tokens, because they look like tokens. `paths` are divided at exclamation marks, which
    separate an archive from its member, and the pieces are searched separately; so an archive gets
    the same name in the paths of all its members. `public` columns contain addresses of a published
    dataset. `apart` columns are left out of this search; an example are the actions of shortcuts,
    which other code redacts by their structure.
    """

    ids: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    def named(self) -> tuple[str, ...]:
        """Return all columns that one of the rules names."""
        return (*self.ids, *self.paths, *self.public, *self.apart)


class SplitDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The columns of a table that decide in which set of files a row is stored.

    `column` contains train, validation or test. Rows where the boolean column `subset` is true are
    in separate files, with `word` in their names, and the dataset card has a configuration with
    only these rows.
    """

    column: str
    subset: str | None = None
    word: str = ""

    def columns(self) -> list[str]:
        """Return the names of the columns that decide in which set of files a row is stored."""
        return [self.column, *([self.subset] if self.subset else [])]


class TableDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The definition of a table: its columns, unique key, foreign keys, sort order and licence.

    `identity` names the columns that identify a row across releases, if the key does not. The
    columns `places` say where a row came from; a row that differs only in these counts as
    unchanged. When copies of a row are merged, the entries of the list columns `united` are
    combined; the key of such a table must be a digest of the content.
    """

    name: str
    description: str
    licence: str
    key: tuple[str, ...]
    sort: tuple[str, ...]
    columns: tuple[ColumnDefinition, ...]
    splits: SplitDefinition | None = None
    references: tuple[ReferenceDefinition, ...] = ()
    row_group_rows: int = 10_000
    identity: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    united: tuple[str, ...] = ()
    redaction: RedactionRules = RedactionRules()

    def nested(self) -> Iterator[tuple[str, str, ColumnDefinition]]:
        """Yield (dotted path, Parquet path, definition) of each column and nested field."""
        pending = [("", "", column) for column in reversed(self.columns)]
        while pending:
            prefix, parquet, column = pending.pop()
            path = prefix + column.name
            parquet += column.name + (".list.element" if column.is_list else "")
            yield path, parquet, column
            inside = reversed(column.fields)
            pending.extend((f"{path}.", f"{parquet}.", field) for field in inside)

    def text_columns(self) -> dict[str, ColumnDefinition]:
        """Return a mapping from dotted path to definition, for all columns and fields with text."""
        return {path: column for path, _, column in self.nested() if column.item_type == "string"}

    def json_columns(self) -> list[str]:
        """Return the dotted paths of the columns whose definition says that they contain JSON."""
        return [path for path, column in self.text_columns().items() if column.json is not None]

    def repetitive_columns(self) -> list[str]:
        """Return the Parquet paths of the columns that are stored with a dictionary of values."""
        return sorted(parquet for _, parquet, column in self.nested() if column.repetitive)

    def column(self, path: str) -> ColumnDefinition | None:
        """Return the definition of a column or nested field by its dotted path, or None."""
        return next((column for dotted, _, column in self.nested() if dotted == path), None)

    def same_by(self) -> tuple[str, ...]:
        """Return the columns that identify a row across releases."""
        return self.identity or self.key or self.sort

    def arrow_schema(self) -> pa.Schema:
        """Return the Arrow schema with which every file of this table is written."""
        return pa.schema(
            [pa.field(c.name, c.arrow_type()) for c in self.columns],
            metadata={"benchloom.table": self.name},
        )


def table_names() -> tuple[str, ...]:
    """Return the sorted names of all defined tables."""
    return tuple(sorted(path.parent.name for path in DATASETS.glob("*/dataset.yaml")))


@cache
def load_table(name: str) -> TableDefinition:
    """Return the definition of a table. Raises RunError if there is none, or if it is invalid."""
    path = DATASETS / name / "dataset.yaml"
    if not path.is_file():
        raise RunError(f"unknown table '{name}'; known: {', '.join(table_names())}")
    try:
        table = msgspec.yaml.decode(path.read_bytes(), type=TableDefinition)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"datasets/{name}/dataset.yaml: {error}") from error
    _check(table, name)
    return table


def _check(table: TableDefinition, folder: str) -> None:
    definition_path = f"datasets/{folder}/dataset.yaml"
    if table.name != folder:
        raise RunError(f"{definition_path}: name is '{table.name}'; write '{folder}'")
    names = {column.name for column in table.columns}
    for column in (*table.key, *table.sort, *table.identity, *table.places, *table.united):
        if column not in names:
            raise RunError(
                f"{definition_path}: key, sort, identity, places or united has unknown column "
                f"'{column}'"
            )
    for column in table.splits.columns() if table.splits else ():
        if column not in names:
            raise RunError(
                f"{definition_path}: splits names the column '{column}', which the table lacks"
            )
    for path in (path for reference in table.references for path in reference.columns):
        if table.column(path) is None:
            raise RunError(
                f"{definition_path}: references names the column '{path}', which the table lacks"
            )
    texts = [f"{path}." for path in table.text_columns()]
    for path in table.redaction.named():
        if not any(text.startswith(f"{path}.") for text in texts):
            raise RunError(
                f"{definition_path}: redaction names '{path}', which is not a text column"
            )
    _check_json(table.columns, definition_path)
    for _, _, definition in table.nested():
        kind = definition.item_type
        if kind != "struct" and kind not in _PRIMITIVES:
            raise RunError(f"{definition_path}: unknown type '{definition.type}'")
        if (kind == "struct") != bool(definition.fields):
            raise RunError(
                f"{definition_path}: '{definition.name}' has type {definition.type}: "
                + (
                    "add its fields"
                    if kind == "struct"
                    else "remove its fields; only structs have them"
                )
            )
        _check_json(definition.fields, definition_path)


def _check_json(columns: tuple[ColumnDefinition, ...], definition_path: str) -> None:
    flags = {column.name for column in columns if column.type == "bool"}
    for column in columns:
        if column.json is None:
            continue
        if column.item_type != "string":
            raise RunError(
                f"{definition_path}: '{column.name}' is not a text column and cannot contain JSON"
            )
        if column.json != ALWAYS and (column.json not in flags or column.is_list):
            raise RunError(
                f"{definition_path}: '{column.name}' has the unknown value 'json: {column.json}'; "
                "write 'always' or the name of a boolean column of the same table or struct"
            )
