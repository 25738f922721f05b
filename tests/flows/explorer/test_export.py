"""Check that exported rows and columns are the same in every file format."""

import csv
import io

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from benchloom.storage.tables import load_table
from flows.explorer.export import csv_of

SELECTION = "column=kept&relation=is&value=true&sort=query_id&down=1"


def test_selection_is_equal_in_every_format(pages: TestClient) -> None:
    files = {
        kind: pages.get(f"/export/queries.{kind}?{SELECTION}")
        for kind in ("parquet", "csv", "jsonl")
    }
    for kind, response in files.items():
        assert response.status_code == 200
        assert f'filename="queries-0.1.0.{kind}"' in response.headers["content-disposition"]
    table = pq.read_table(io.BytesIO(files["parquet"].content))
    assert table.schema.names == load_table("queries").arrow_schema().names
    assert table.schema.types == load_table("queries").arrow_schema().types
    rows = table.to_pylist()
    assert [row["query_id"] for row in rows] == ["query:2", "query:1", "query:0"]
    lines = files["jsonl"].text.splitlines()
    assert [msgspec.json.decode(line) for line in lines] == rows
    csv_rows = [*csv.DictReader(io.StringIO(files["csv"].text))]
    assert [row["text"] for row in csv_rows] == [row["text"] for row in rows]
    assert [row["kept"] for row in csv_rows] == ["true"] * 3


def test_nested_rows_are_exported_completely(pages: TestClient) -> None:
    table = pq.read_table(io.BytesIO(pages.get("/export/shortcuts.parquet").content))
    assert table.schema.types == load_table("shortcuts").arrow_schema().types
    lines = pages.get("/export/shortcuts.jsonl").text.splitlines()
    assert [msgspec.json.decode(line) for line in lines] == table.to_pylist()
    first_row = next(csv.DictReader(io.StringIO(pages.get("/export/shortcuts.csv").text)))
    assert msgspec.json.decode(first_row["actions"]) == table.to_pylist()[0]["actions"]


def test_invalid_exports_are_refused(pages: TestClient) -> None:
    for file, status in (("queries.xls", 404), ("none.csv", 404), ("queries", 404)):
        assert pages.get(f"/export/{file}").status_code == status
    assert pages.get("/export/queries.csv?sort=none").status_code == 400
    empty = pages.get("/export/queries.parquet?q=no-such-word")
    assert pq.read_table(io.BytesIO(empty.content)).num_rows == 0


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "+1"),
        ("-2.50", "-2.50"),
        ("-1e9", "-1e9"),
        ("+1+cmd", "'+1+cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("-", "'-"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("a=b", "a=b"),
        ("", ""),
        (" =1", " =1"),
        ("12", "12"),
    ],
)
def test_csv_cells_are_never_formulas(text: str, cell: str) -> None:
    rows = pa.RecordBatch.from_pylist([{"=head": text, "number": -3, "list": ["=x"], "none": None}])
    csv_text = b"".join(csv_of(rows.schema, iter([rows]))).decode()
    assert [*csv.reader(io.StringIO(csv_text, newline=""))] == [
        ["'=head", "number", "list", "none"],
        [cell, "-3", '["=x"]', ""],
    ]
