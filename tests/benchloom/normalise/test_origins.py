"""Names from records and listings beside those a file tells."""

import pyarrow as pa
import pytest

from benchloom.normalise.shortcuts.origins import Origin, attach_origins


@pytest.mark.parametrize(
    ("own", "origin", "name"),
    [
        (("Inside", "shortcut"), ("Record", "icloud"), ("Inside", "shortcut")),
        (("File", "file"), ("Record", "icloud"), ("Record", "icloud")),
        (("File", "file"), (None, None), ("File", "file")),
        ((None, None), ("Listed", "listing"), ("Listed", "listing")),
    ],
)
def test_the_name_of_a_file_gives_way(
    own: tuple[str | None, str | None],
    origin: tuple[str | None, str | None],
    name: tuple[str | None, str | None],
) -> None:
    row = {
        "shortcut_id": "shortcut:1",
        "source_digest": "file:1",
        "action_count": 1,
        "icloud_ids": [],
        "name": own[0],
        "name_source": own[1],
        "description": None,
    }
    kinds = {"name": pa.string(), "name_source": pa.string(), "description": pa.string()}
    kinds = {"action_count": pa.int32(), "icloud_ids": pa.list_(pa.string()), **kinds}
    kinds = {"shortcut_id": pa.string(), "source_digest": pa.string(), **kinds}
    rows = pa.Table.from_pylist([row], schema=pa.schema(list(kinds.items())))
    shortcut_origin = Origin(("0" * 32,), *origin, "told")
    (attached_row,) = attach_origins(rows, {"shortcut:1": shortcut_origin}).to_pylist()
    assert (attached_row["name"], attached_row["name_source"]) == name
    assert (attached_row["icloud_ids"], attached_row["description"]) == (["0" * 32], "told")
    (alone,) = attach_origins(rows, {}).to_pylist()
    assert (alone["name"], alone["name_source"], alone["description"]) == (*own, None)
