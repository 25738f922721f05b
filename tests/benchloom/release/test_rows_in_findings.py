"""Tests of rows in gate findings: they are named by their key, and long values are cut."""

import msgspec
import pyarrow as pa

from benchloom.normalise.redaction.tables import ChangedText
from benchloom.release.gates.redaction import MAX_NAMED, _row_findings
from benchloom.release.gates.tasks import _shorten
from benchloom.storage.tables import load_table


def test_first_rows_with_a_text_are_named_by_their_key() -> None:
    numbers = list(range(9))
    texts = ["call me", "other", *["call me"] * 7]
    rows = pa.table({"source_uri": ["page"] * 9, "position": numbers, "description": texts})
    change = ChangedText("description", "call me", ("call [phone]", ("phone",)))
    assert list(_row_findings(load_table("listings"), rows, change)) == [
        f"listings: page, {number}: description still contains: phone 1"
        for number in [0, *numbers[2:]][:MAX_NAMED]
    ]


def test_long_value_is_cut() -> None:
    short, long = "a" * 198, "b" * 300
    assert _shorten(short) == msgspec.json.encode(short).decode()
    assert _shorten(long) == '"' + "b" * 198 + "…"
