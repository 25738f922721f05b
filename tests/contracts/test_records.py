"""Record classes and `datasets/*/dataset.yaml` must say the same."""

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
    """The record of a table: `shortcuts` is Shortcut, `api_definitions` ApiDefinition."""
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


def compare(
    place: str, record: type[msgspec.Struct], columns: tuple[ColumnDefinition, ...]
) -> None:
    hints = typing.get_type_hints(record)
    fields = [field.name for field in msgspec.structs.fields(record)]
    assert fields == [column.name for column in columns], f"{place}: fields and columns differ"
    for column in columns:
        compare_type(f"{place}.{column.name}", hints[column.name], column)


def compare_type(place: str, hint: object, column: ColumnDefinition) -> None:
    nullable = False
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        members = [member for member in typing.get_args(hint) if member is not type(None)]
        nullable = type(None) in typing.get_args(hint)
        assert len(members) == 1, f"{place}: a union of types has no column type"
        hint = members[0]
    assert nullable == column.nullable, f"{place}: nullable differs"
    if typing.get_origin(hint) is tuple:
        assert column.is_list, f"{place}: a tuple needs a list column"
        hint = typing.get_args(hint)[0]
    else:
        assert not column.is_list, f"{place}: a list column needs a tuple"
    if typing.get_origin(hint) is typing.Literal:
        hint = type(typing.get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        assert column.item_type == "struct", f"{place}: a record needs a struct column"
        compare(place, hint, column.fields)
    else:
        assert isinstance(hint, type)
        assert column.item_type.startswith(PRIMITIVES[hint]), f"{place}: type differs"


@pytest.mark.parametrize("table", table_names())
def test_record_has_the_columns_of_its_table(table: str) -> None:
    compare(table, record_class(table), load_table(table).columns)


@pytest.mark.parametrize("table", table_names())
def test_every_column_is_described(table: str) -> None:
    pending = list(load_table(table).columns)
    while pending:
        column = pending.pop()
        assert len(column.description) > 5, f"{table}.{column.name} has no description"
        pending.extend(column.fields)


@pytest.mark.parametrize("table", table_names())
def test_every_column_is_an_attribute_in_pandas(table: str) -> None:
    """`frame.flags` or `frame.mode` would be pandas' own; nested fields never become attributes."""
    taken = set(dir(pd.DataFrame)) | set(keyword.kwlist)
    taken -= {"style"}  # the design's name for it; `frame["style"]` reads the column
    assert not {column.name for column in load_table(table).columns} & taken


@pytest.mark.parametrize("table", table_names())
def test_foreign_keys_lead_to_columns_of_their_kind(table: str) -> None:
    loaded_table = load_table(table)
    for reference in loaded_table.references:
        own = [loaded_table.column(column) for column in reference.columns]
        assert reference.to, f"{table}: {reference} leads nowhere"
        for name, columns in reference.to.items():
            target = load_table(name)
            theirs = [target.column(column) for column in columns]
            kinds = [column.item_type for column in theirs if column is not None]
            assert kinds == [column.item_type for column in own if column is not None], reference
        for column, texts in reference.where.items():
            assert texts
            assert loaded_table.column(column) is not None
