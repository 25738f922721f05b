"""Check that record classes and `datasets/*/dataset.yaml` agree."""

import keyword
import types
import typing

import msgspec
import pandas as pd
import pytest

import benchloom.core.records
from benchloom.storage.tables import ColumnDefinition, load_table, table_names

PRIMITIVES = {str: "string", int: "int", float: "double", bool: "bool"}


def record_class(table: str) -> type[msgspec.Struct]:
    """Return the record class of a table, for example ApiDefinition for `api_definitions`."""
    camel = "".join(part.capitalize() for part in table.split("_"))
    records = {
        name.lower(): getattr(benchloom.core.records, name)
        for name in benchloom.core.records.__all__
    }
    for name in (camel, camel.removesuffix("s"), camel.removesuffix("ies") + "y"):
        record_type = records.get(name.lower())
        if record_type is not None:
            return typing.cast("type[msgspec.Struct]", record_type)
    pytest.fail(f"no record class for table {table}")


def compare_columns(
    path: str, record: type[msgspec.Struct], columns: tuple[ColumnDefinition, ...]
) -> None:
    hints = typing.get_type_hints(record)
    fields = [field.name for field in msgspec.structs.fields(record)]
    assert fields == [column.name for column in columns], f"{path}: fields and columns differ"
    for column in columns:
        compare_type(f"{path}.{column.name}", hints[column.name], column)


def compare_type(path: str, hint: object, column: ColumnDefinition) -> None:
    nullable = False
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        members = [member for member in typing.get_args(hint) if member is not type(None)]
        nullable = type(None) in typing.get_args(hint)
        assert len(members) == 1, f"{path}: a union of types has no column type"
        hint = members[0]
    assert nullable == column.nullable, f"{path}: nullable differs"
    if typing.get_origin(hint) is tuple:
        assert column.is_list, f"{path}: a tuple needs a list column"
        hint = typing.get_args(hint)[0]
    else:
        assert not column.is_list, f"{path}: a list column needs a tuple"
    if typing.get_origin(hint) is typing.Literal:
        hint = type(typing.get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        assert column.item_type == "struct", f"{path}: a record needs a struct column"
        compare_columns(path, hint, column.fields)
    else:
        assert isinstance(hint, type)
        assert column.item_type.startswith(PRIMITIVES[hint]), f"{path}: type differs"


@pytest.mark.parametrize("table", table_names())
def test_record_fields_equal_the_columns_of_their_table(table: str) -> None:
    compare_columns(table, record_class(table), load_table(table).columns)


@pytest.mark.parametrize("table", table_names())
def test_every_column_has_a_description(table: str) -> None:
    pending = list(load_table(table).columns)
    while pending:
        column = pending.pop()
        assert len(column.description) > 5, f"{table}.{column.name} has no description"
        pending.extend(column.fields)


@pytest.mark.parametrize("table", table_names())
def test_column_names_are_free_in_pandas(table: str) -> None:
    """Check top-level columns: `frame.flags` would be an attribute of pandas, not the column."""
    reserved_names = set(dir(pd.DataFrame)) | set(keyword.kwlist)
    reserved_names -= {"style"}  # the design's name for it; `frame["style"]` reads the column
    assert not {column.name for column in load_table(table).columns} & reserved_names


@pytest.mark.parametrize("table", table_names())
def test_foreign_keys_refer_to_columns_of_their_type(table: str) -> None:
    loaded_table = load_table(table)
    for reference in loaded_table.references:
        key_columns = [loaded_table.column(column) for column in reference.columns]
        assert reference.to, f"{table}: {reference} leads nowhere"
        for name, columns in reference.to.items():
            target = load_table(name)
            target_columns = [target.column(column) for column in columns]
            kinds = [column.item_type for column in target_columns if column is not None]
            assert kinds == [column.item_type for column in key_columns if column is not None], (
                reference
            )
        for column, texts in reference.where.items():
            assert texts
            assert loaded_table.column(column) is not None
