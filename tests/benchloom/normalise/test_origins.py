"""Tests of origins: names from records and listings are used beside those in the file."""

import pyarrow as pa
import pytest

from benchloom.normalise.shortcuts.origins import Origin, attach_origins


@pytest.mark.parametrize(
    ("parsed_name", "origin", "expected"),
    [
        (("Inside", "shortcut"), ("Record", "icloud"), ("Inside", "shortcut")),
        (("File", "file"), ("Record", "icloud"), ("Record", "icloud")),
        (("File", "file"), (None, None), ("File", "file")),
        ((None, None), ("Listed", "listing"), ("Listed", "listing")),
    ],
)
def test_file_name_is_replaced_by_a_better_name(
    parsed_name: tuple[str | None, str | None],
    origin: tuple[str | None, str | None],
    expected: tuple[str | None, str | None],
) -> None:
    row = {
        "shortcut_id": "shortcut:1",
        "source_digest": "file:1",
        "action_count": 1,
        "icloud_ids": [],
        "name": parsed_name[0],
        "name_source": parsed_name[1],
        "description": None,
    }
    kinds = {"name": pa.string(), "name_source": pa.string(), "description": pa.string()}
    kinds = {"action_count": pa.int32(), "icloud_ids": pa.list_(pa.string()), **kinds}
    kinds = {"shortcut_id": pa.string(), "source_digest": pa.string(), **kinds}
    rows = pa.Table.from_pylist([row], schema=pa.schema(list(kinds.items())))
    shortcut_origin = Origin(("0" * 32,), *origin, "told")
    (attached_row,) = attach_origins(rows, {"shortcut:1": shortcut_origin}).to_pylist()
    assert (attached_row["name"], attached_row["name_source"]) == expected
    assert (attached_row["icloud_ids"], attached_row["description"]) == (["0" * 32], "told")
    (row_without_origin,) = attach_origins(rows, {}).to_pylist()
    assert (
        row_without_origin["name"],
        row_without_origin["name_source"],
        row_without_origin["description"],
    ) == (*parsed_name, None)
