"""Tests of schema changes: removed, added, renamed and retyped columns, and rows compared."""

import pyarrow as pa

from benchloom.release.schema_changes import Shared, compare_schemas, project
from benchloom.storage.tables import ColumnDefinition

DEFINED = (
    ColumnDefinition("ident", "string", "the id"),
    ColumnDefinition("oddities", "list<string>", "odd words", formerly="flags"),
    ColumnDefinition(
        "steps",
        "list<struct>",
        "calls",
        fields=(
            ColumnDefinition("api", "string", "its name", formerly="name"),
            ColumnDefinition("definition_id", "string", "its definition"),
        ),
    ),
)


def schema(*fields: tuple[str, pa.DataType]) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in fields])


def steps_type(*names: str) -> pa.DataType:
    return pa.list_(pa.struct([pa.field(name, pa.string()) for name in names]))


OLD = schema(
    ("ident", pa.string()),
    ("flags", pa.list_(pa.string())),
    ("steps", steps_type("name", "definition")),
    ("score", pa.int64()),
)
NEW = schema(
    ("ident", pa.string()),
    ("oddities", pa.list_(pa.string())),
    ("steps", steps_type("api", "definition_id")),
    ("score", pa.float64()),
)


def test_change_lists_removed_added_renamed_and_retyped_columns() -> None:
    change = compare_schemas(OLD, NEW, DEFINED).change
    assert change.gone == ("steps.definition",)
    assert change.came == ("steps.definition_id",)
    assert change.renamed == ("flags -> oddities", "steps.name -> steps.api")
    assert change.retyped == ("score",)


def test_former_name_that_still_exists_is_not_a_rename() -> None:
    both = schema(("flags", pa.string()), ("oddities", pa.string()))
    before = schema(("flags", pa.string()))
    change = compare_schemas(before, both, DEFINED).change
    assert (change.came, change.gone, change.renamed) == (("oddities",), (), ())


def test_projected_rows_are_equal_under_both_schemas() -> None:
    shared = compare_schemas(OLD, NEW, DEFINED).shared
    assert Shared("flags", "oddities") in shared
    old = {
        "ident": "a",
        "flags": ["x"],
        "steps": [{"name": "Find", "definition": "A.Find"}, None],
        "score": 1,
    }
    new = {
        "ident": "a",
        "oddities": ["x"],
        "steps": [{"api": "Find", "definition_id": "api:1"}, None],
        "score": 1.0,
    }
    plain = project(old, shared, is_later=False)
    assert plain == project(new, shared, is_later=True)
    assert plain == {"ident": "a", "oddities": ["x"], "steps": [{"api": "Find"}, None]}
