"""Tests of records in JSON lists and lines, both valid and damaged."""

import json

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.foreign.records import MAX_RECORD, Record, records_of

ANY: "msgspec.json.Decoder[object]" = msgspec.json.Decoder()


def contents(data: bytes) -> list[tuple[str, bytes]]:
    return [(record.location, record.content) for record in records_of("a.json", data)]


def test_records_of_lists_lines_and_one_object() -> None:
    assert contents(b'[{"a": 1}, {"b": "],"}]') == [
        ("record 1", b'{"a": 1}'),
        ("record 2", b'{"b": "],"}'),
    ]
    assert contents(b'\xef\xbb\xbf{"a": 1}\r\n\n{"b": 2}\n') == [
        ("line 1", b'{"a": 1}'),
        ("line 3", b'{"b": 2}'),
    ]
    assert contents(b'{\n "a": 1\n}\n') == [("record 1", b'{\n "a": 1\n}')]
    assert contents(b" \n") == []


def test_valid_records_beside_damaged_ones_are_read() -> None:
    data = b'[{"a": 1}, {"b": NaN}, {"c": [1, 2]}, {"d": "x'
    assert contents(data) == [
        ("record 1", b'{"a": 1}'),
        ("record 2", b'{"b": NaN}'),
        ("record 3", b'{"c": [1, 2]}'),
        ("record 4", b'{"d": "x'),
    ]


def test_unclosed_text_does_not_hide_the_next_record() -> None:
    data = b'[\n {"a": "open},\n {"b": 2}\n]'
    assert ("record 2", b'{"b": 2}') in contents(data) or len(contents(data)) == 1


def test_truncated_list_keeps_every_complete_record() -> None:
    expected_records = [{"n": number, "t": 'a, ] } \\ "'} for number in range(20)]
    data = json.dumps(expected_records).encode()
    for cut in range(2, len(data), 7):
        records = records_of("a.json", data[:cut])
        decoded_records = 0
        for record in records:
            try:
                assert record.decoded(ANY) == expected_records[record.number - 1]
            except RejectedInputError:
                continue
            decoded_records += 1
        assert decoded_records >= data[:cut].count(b'"}')


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "bad_json"),
        (b'{"a": "\xff"}', "bad_json"),
        (b'{"a": 1e999}', "wrong_shape"),
        (b"1" * 5000, "wrong_shape"),
        (b"[" * 5000 + b"]" * 5000, "too_deep"),
        (b'"' + b"a" * MAX_RECORD + b'"', "too_large"),
    ],
)
def test_rejected_record_has_a_location_and_reason(content: bytes, reason: str) -> None:
    record = Record("a.json", 3, "line 3", content)
    with pytest.raises(RejectedInputError) as caught:
        record.decoded(ANY)
    row = record.rejected(caught.value)
    assert (row.reason, row.source_uri) == (reason, "a.json#line 3")
    assert row.message.startswith("line 3: ")
