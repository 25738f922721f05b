"""Damaged and hostile binary property lists: one typed fault, in little time and memory."""

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


def assembled(*objects: bytes, table: list[int] | None = None, width: int = 1) -> bytes:
    """A property list of these objects, the first the root; `table` repeats some of them."""
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
def test_the_careful_reader_reads_as_plistlib_does(value: object) -> None:
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
def test_a_key_that_is_no_text_is_refused(key: bytes) -> None:
    assert reason_of(assembled(b"\xd1\x01\x02", key, b"\x09")) == "bad_property_list"


def test_such_a_key_in_the_parameters_of_an_action_is_a_rejected_row() -> None:
    data = assembled(
        b"\xd1\x01\x02", b"\x5f\x10\x11WFWorkflowActions", b"\xa1\x03", b"\xd1\x04\x05",
        b"\x5f\x10\x1aWFWorkflowActionParameters", b"\xd2\x06\x07\x06\x06", b"\x51a", b"\x42ab",
    )  # fmt: skip
    with pytest.raises(ParseError) as caught:
        parse_shortcut(data, "keys.shortcut")
    assert caught.value.reason == "bad_property_list"


def test_integers_end_at_128_bits() -> None:
    assert read_binary(assembled(b"\x14" + b"\x7f" * 16)) == int("7f" * 16, 16)
    assert read_binary(assembled(b"\x14" + b"\xff" * 16)) == -1
    for low in range(5, 16):
        assert reason_of(assembled(bytes([0x10 | low]) + b"\xff" * (1 << low))) == (
            "bad_property_list"
        )
    assert read_xml(b"<plist><integer>0x" + b"f" * 32 + b"</integer></plist>")[0] == 2**128 - 1
    for digits in (b"0x" + b"f" * 33, b"0x" + b"f" * 9000, b"-" + b"9" * 40, b"9" * 9000):
        with pytest.raises(ParseError) as caught:
            read_xml(b"<plist><integer>" + digits + b"</integer></plist>")
        assert caught.value.reason == "bad_property_list"


def test_objects_that_overlap_are_refused() -> None:
    """Forty thousand references to as many copies of one 40 kB text: 1.6 GB from 400 kB."""
    count = 40_000
    wide = b"\xaf\x12" + struct.pack(">I", count) + struct.pack(">I", 2) * count
    text = b"\x5f\x12" + struct.pack(">I", 40_000) + b"x" * 40_000
    spread = b"\xaf\x12" + struct.pack(">I", count)
    spread += b"".join(struct.pack(">I", 1 + number) for number in range(count))
    assert reason_of(assembled(spread, text, table=[1] * count, width=4)) == "bad_property_list"
    shared = read_binary(assembled(wide, b"\x09", text, width=4))
    assert isinstance(shared, list)
    assert len(shared) == count
    assert shared[0] is shared[-1]


def test_counts_are_bounded_before_anything_is_built() -> None:
    many = assembled(b"\xa0", table=[0] * MAX_OBJECTS)
    assert reason_of(many) == "too_many_nodes"
    count = MAX_REFERENCES + 1
    wide = b"\xaf\x12" + struct.pack(">I", count) + b"\x01" * count
    assert reason_of(assembled(wide, b"\x09")) == "too_many_nodes"
    with pytest.raises(ParseError) as caught:
        read_xml(b"<plist><array>" + b"<true/>" * MAX_OBJECTS + b"</array></plist>")
    assert caught.value.reason == "too_many_nodes"


def test_depth_needs_no_recursion() -> None:
    depth = 100_000
    chain = [b"\xa1" + struct.pack(">I", number + 1) for number in range(depth)]
    for last in (b"\xa0", b"\x80\x01"):  # the second one only the careful reader knows
        value = read_binary(assembled(*chain, last, width=4))
        levels = 0
        while isinstance(value, list) and value:
            (value,) = value
            levels += 1
        assert levels == depth


def test_damage_that_nothing_refers_to_is_passed_over() -> None:
    sound = assembled(b"\xa1\x01", b"\x51a", b"\xff")
    assert read_binary(sound) == ["a"]
    assert plistlib.loads(sound) == ["a"]


def test_repeated_keys_are_told_whatever_else_the_table_holds() -> None:
    twice = assembled(b"\xd2\x01\x02\x03\x03", b"\x51a", b"\x51a", b"\x09")
    assert read_binary_strictly(twice)[1] == ["a"]
    outside = twice[:-32]
    broken = (
        outside + struct.pack(">I", 2**31) + struct.pack(">6xBBQQQ", 4, 1, 5, 0, len(outside) - 16)
    )
    assert read_binary_strictly(broken)[1] == ["a"]


def test_blanks_and_rubbish_of_megabytes_take_no_time() -> None:
    for inside in (b" " * 4_000_000, b"x " * 2_000_000):
        with pytest.raises(ParseError) as caught:
            read_xml(b"<plist><array>" + inside)
        assert caught.value.reason == "bad_property_list"
