"""Where rows lie by their keys is what a dictionary of all of them would say."""

from hypothesis import given
from hypothesis import strategies as st

from benchloom.tables.row_keys import KEY_BYTES, PlacedKeys

HALF = st.sampled_from([bytes(8), bytes(7) + b"\1", b"\xff" * 8])
KEY = st.builds(bytes.__add__, HALF, HALF)
"""Of few halves, so that many keys have one in common and some stand twice."""


@given(
    st.lists(st.lists(KEY, max_size=6), max_size=5),
    st.lists(KEY, max_size=8),
    st.binary(max_size=KEY_BYTES - 1),
)
def test_the_last_row_with_a_key_is_found(
    files: list[list[bytes]], asked: list[bytes], rest: bytes
) -> None:
    placed = PlacedKeys(b"".join(keys) + rest for keys in files)
    last = {key: (number, row) for number, keys in enumerate(files) for row, key in enumerate(keys)}
    for key in [*last, *asked]:
        assert placed.find(key) == last.get(key)
