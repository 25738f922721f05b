"""Tests of the column-wise contract: order and distinct keys equal those of comparing rows."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from benchloom.release.gates.contract import _are_distinct, _are_in_order, _comparable

TEXTS = st.one_of(
    st.none(), st.sampled_from(["", "a", "b", "Ab", "\u00e4", "\U0001f600", "\uffff"])
)
KEYS = st.lists(st.tuples(TEXTS, st.one_of(st.none(), st.integers(-2, 2))), max_size=6)


@given(keys=st.one_of(KEYS, KEYS.map(lambda keys: sorted(keys, key=_comparable))))
def test_column_wise_checks_agree_with_row_by_row_checks(
    keys: list[tuple[str | None, int | None]],
) -> None:
    schema = pa.schema([("text", pa.string()), ("number", pa.int64())])
    columns = [[key[0] for key in keys], [key[1] for key in keys]]
    arrays = [pa.array(columns[0], pa.string()), pa.array(columns[1], pa.int64())]
    rows = pa.table(arrays, schema)
    comparable_keys = [_comparable(key) for key in keys]
    assert _are_in_order(rows) == (comparable_keys == sorted(comparable_keys))
    assert _are_distinct(rows) == (len(set(keys)) == len(keys))
