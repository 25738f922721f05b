"""Digests of rows by their values, computed column by column without creating row objects.

Arrow's serialisation cannot be used, since equal rows at different positions give different
bytes. Here each value is encoded as a text preceded by its length, and each list by its count.
So two rows have the same encoding only if all their values are the same.
"""

import hashlib

import pyarrow as pa
import pyarrow.compute as pc

DIGEST_BYTES = 16
_NOTHING = "-"
_LENGTH_ENDS = ":"


def row_digests(rows: pa.RecordBatch) -> list[bytes]:
    """Return the digest of each row of a batch, including its columns' names and types."""
    encoded_rows = _binary(rows.to_struct_array()).cast(pa.binary())
    columns = " ".join(f"{field.name}: {field.type}" for field in rows.schema)
    common = hashlib.blake2b(columns.encode() + b"\0", digest_size=DIGEST_BYTES)
    digests: list[bytes] = []
    for row in encoded_rows.to_pylist():
        digest = common.copy()
        digest.update(row)
        digests.append(digest.digest())
    return digests


def _binary(array: pa.Array) -> pa.Array:
    kind = array.type
    if pa.types.is_list(kind):
        counts = pc.list_value_length(array)
        offsets = pa.concat_arrays(
            [pa.array([0], pa.int32()), pc.cumulative_sum(pc.fill_null(counts, 0))]
        )
        items = pa.ListArray.from_arrays(offsets, _binary(array.flatten()))
        return _with_length(counts, pc.binary_join(items, ""))
    if pa.types.is_struct(kind):
        fields = [_binary(field) for field in array.flatten()]
        whole = pc.binary_join_element_wise(*fields, "")
        return pc.if_else(array.is_valid(), whole, _NOTHING)
    text = array
    if pa.types.is_floating(kind) or pa.types.is_timestamp(kind):
        text = array.view(pa.int64()).cast(pa.string())  # by their bits
    elif not pa.types.is_string(kind):
        text = array.cast(pa.string())
    return _with_length(pc.binary_length(text), text)


def _with_length(length: pa.Array, text: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(
        length.cast(pa.string()),
        _LENGTH_ENDS,
        text,
        "",
        null_handling="replace",
        null_replacement=_NOTHING,
    )
