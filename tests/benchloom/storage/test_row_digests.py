"""Tests of row digests: rows have equal digests exactly if all their values are equal."""

from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from benchloom.storage.tables.arrays import row_digests

_INNER = pa.struct([("text", pa.string()), ("flags", pa.list_(pa.bool_()))])
_SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("count", pa.int32()),
        ("share", pa.float64()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("words", pa.list_(pa.string())),
        ("inner", _INNER),
        ("all", pa.list_(pa.struct([("place", pa.int64()), ("inner", _INNER)]))),
    ]
)
_TEXTS = st.none() | st.sampled_from(["", "-", "1:-", "a", "1:a", ":", "ab", "0:"])
_FLAGS = st.none() | st.lists(st.none() | st.booleans(), max_size=3)
_INNERS = st.none() | st.fixed_dictionaries({"text": _TEXTS, "flags": _FLAGS})
_PLACES = st.none() | st.integers(-2, 12)
_ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": _TEXTS,
            "count": _PLACES,
            "share": st.none() | st.sampled_from([0.0, -0.0, 1.5, float("inf")]),
            "at": _PLACES,
            "words": st.none() | st.lists(_TEXTS, max_size=3),
            "inner": _INNERS,
            "all": st.none()
            | st.lists(
                st.none() | st.fixed_dictionaries({"place": _PLACES, "inner": _INNERS}), max_size=3
            ),
        }
    ),
    min_size=1,
    max_size=12,
)


@given(_ROWS)
def test_digests_are_equal_exactly_for_equal_rows(rows: list[dict[str, Any]]) -> None:
    batch = pa.RecordBatch.from_pylist([*rows, *rows], schema=_SCHEMA)
    digests = row_digests(batch)
    assert digests[: len(rows)] == digests[len(rows) :]
    row_texts = [repr(row) for row in batch.to_pylist()]  # `repr` distinguishes 0.0 from -0.0
    assert len(set(digests)) == len(set(row_texts))
    assert [row_digests(batch.slice(at, 1))[0] for at in range(len(rows))] == digests[: len(rows)]


def test_column_names_and_types_change_the_digest() -> None:
    batches = [
        pa.RecordBatch.from_pylist([{name: None}], schema=pa.schema([(name, kind)]))
        for name in ("a", "b")
        for kind in (pa.string(), pa.int32())
    ]
    assert len({row_digests(batch)[0] for batch in batches}) == len(batches)


def test_no_rows_give_no_digests() -> None:
    assert row_digests(pa.RecordBatch.from_pylist([], schema=_SCHEMA)) == []
