"""Check that damaged and hostile binary property lists raise one typed error, quickly."""

import plistlib
import struct

import pytest
from hypothesis import given, settings

from parsers.errors import ParseError
from parsers.property_lists import MAX_OBJECTS, read_binary, read_binary_strictly, read_xml
from parsers.property_lists.careful_binary import read_any_binary
from parsers.property_lists.fast_binary import MAX_REFERENCES
from parsers.shortcuts import parse_shortcut
from tests.parsers.test_property_lists import VALUES
from tests.support.soak import samples


def build_binary(*objects: bytes, table: list[int] | None = None, width: int = 1) -> bytes:
    """Build a property list from encoded objects, the root first; `table` repeats offsets."""
    body, offsets = bytearray(b"bplist00"), []
    for encoded in objects:
        offsets.append(len(body))
        body += encoded
    offsets += [offsets[number] for number in table or ()]
    trailer = struct.pack(">6xBBQQQ", 4, width, len(offsets), 0, len(body))
    return bytes(body) + struct.pack(f">{len(offsets)}I", *offsets) + trailer


def reason_of(data: bytes) -> str:
    with pytest.raises(ParseError) as caught:
        read_binary(data)
    assert "\n" not in caught.value.message
    return caught.value.reason


@given(VALUES)
@settings(max_examples=samples(80, 300), deadline=None)
def test_careful_reader_agrees_with_plistlib(value: object) -> None:
    data = plistlib.dumps(value, fmt=plistlib.FMT_BINARY)  # type: ignore[arg-type]  # values of any type
    assert repr(read_any_binary(data)[0]) == repr(plistlib.loads(data))


@pytest.mark.parametrize(
    "key",
    [
        b"\x10\x01",  # a number
        b"\x09",  # true
        b"\x00",  # null
        b"\x42ab",  # bytes
        b"\xa0",  # an array, which cannot be a key at all
        b"\xd0",
        b"\x80\x01",
        b"\x33" + bytes(8),
    ],
)
def test_dictionary_key_other_than_text_is_refused(key: bytes) -> None:
    assert reason_of(build_binary(b"\xd1\x01\x02", key, b"\x09")) == "bad_property_list"


def test_key_other_than_text_in_parameters_is_refused() -> None:
    data = build_binary(
        b"\xd1\x01\x02", b"\x5f\x10\x11WFWorkflowActions", b"\xa1\x03", b"\xd1\x04\x05",
        b"\x5f\x10\x1aWFWorkflowActionParameters", b"\xd2\x06\x07\x06\x06", b"\x51a", b"\x42ab",
    )  # fmt: skip
    with pytest.raises(ParseError) as caught:
        parse_shortcut(data, "keys.shortcut")
    assert caught.value.reason == "bad_property_list"


def test_integers_over_128_bits_are_refused() -> None:
    assert read_binary(build_binary(b"\x14" + b"\x7f" * 16)) == int("7f" * 16, 16)
    assert read_binary(build_binary(b"\x14" + b"\xff" * 16)) == -1
    for low in range(5, 16):
        assert reason_of(build_binary(bytes([0x10 | low]) + b"\xff" * (1 << low))) == (
            "bad_property_list"
        )
    assert read_xml(b"<plist><integer>0x" + b"f" * 32 + b"</integer></plist>")[0] == 2**128 - 1
    for digits in (b"0x" + b"f" * 33, b"0x" + b"f" * 9000, b"-" + b"9" * 40, b"9" * 9000):
        with pytest.raises(ParseError) as caught:
            read_xml(b"<plist><integer>" + digits + b"</integer></plist>")
        assert caught.value.reason == "bad_property_list"


def test_overlapping_objects_are_refused() -> None:
    """40,000 references to as many copies of a text of 40 kB would make 1.6 GB from 400 kB."""
    count = 40_000
    wide = b"\xaf\x12" + struct.pack(">I", count) + struct.pack(">I", 2) * count
    text = b"\x5f\x12" + struct.pack(">I", 40_000) + b"x" * 40_000
    spread = b"\xaf\x12" + struct.pack(">I", count)
    spread += b"".join(struct.pack(">I", 1 + number) for number in range(count))
    assert reason_of(build_binary(spread, text, table=[1] * count, width=4)) == "bad_property_list"
    shared = read_binary(build_binary(wide, b"\x09", text, width=4))
    assert isinstance(shared, list)
    assert len(shared) == count
    assert shared[0] is shared[-1]


def test_object_counts_are_limited_before_decoding() -> None:
    many = build_binary(b"\xa0", table=[0] * MAX_OBJECTS)
    assert reason_of(many) == "too_many_nodes"
    count = MAX_REFERENCES + 1
    wide = b"\xaf\x12" + struct.pack(">I", count) + b"\x01" * count
    assert reason_of(build_binary(wide, b"\x09")) == "too_many_nodes"
    with pytest.raises(ParseError) as caught:
        read_xml(b"<plist><array>" + b"<true/>" * MAX_OBJECTS + b"</array></plist>")
    assert caught.value.reason == "too_many_nodes"


def test_deep_nesting_is_read_without_recursion() -> None:
    depth = 100_000
    chain = [b"\xa1" + struct.pack(">I", number + 1) for number in range(depth)]
    for last in (b"\xa0", b"\x80\x01"):  # only the careful reader supports the second one
        value = read_binary(build_binary(*chain, last, width=4))
        levels = 0
        while isinstance(value, list) and value:
            (value,) = value
            levels += 1
        assert levels == depth


def test_unreferenced_damage_is_ignored() -> None:
    data = build_binary(b"\xa1\x01", b"\x51a", b"\xff")
    assert read_binary(data) == ["a"]
    assert plistlib.loads(data) == ["a"]


def test_repeated_keys_are_reported() -> None:
    twice = build_binary(b"\xd2\x01\x02\x03\x03", b"\x51a", b"\x51a", b"\x09")
    assert read_binary_strictly(twice)[1] == ["a"]
    outside = twice[:-32]
    broken = (
        outside + struct.pack(">I", 2**31) + struct.pack(">6xBBQQQ", 4, 1, 5, 0, len(outside) - 16)
    )
    assert read_binary_strictly(broken)[1] == ["a"]


def test_megabytes_of_blanks_and_garbage_are_refused() -> None:
    for inside in (b" " * 4_000_000, b"x " * 2_000_000):
        with pytest.raises(ParseError) as caught:
            read_xml(b"<plist><array>" + inside)
        assert caught.value.reason == "bad_property_list"
