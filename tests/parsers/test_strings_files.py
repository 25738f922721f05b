"""Localised texts: .strings as text or property list in any encoding, and .xcstrings."""

import plistlib
import tracemalloc

import pytest

from parsers.definitions.units import MAX_BYTES, read_strings, read_xcstrings
from parsers.errors import ParseError

TEXT = '/* a "comment" = "x"; */\n"a" = "A \\"b\\"\\n\\U00e9";\n// "c" = "no";\nbare.key = "B";\n'
EXPECTED = {"a": 'A "b"\né', "bare.key": "B"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_in_any_encoding(encoding: str) -> None:
    assert read_strings(TEXT.encode(encoding)) == EXPECTED


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_compiled(form: plistlib.PlistFormat) -> None:
    data = plistlib.dumps({**EXPECTED, "plural": {"NSStringLocalizedFormatKey": "x"}}, fmt=form)
    assert read_strings(data) == EXPECTED


def test_escaped_halves_are_one_character_and_a_lone_half_is_replaced() -> None:
    assert read_strings(b'"a" = "\\Ud83d\\Ude00"; "b" = "\\Ud83d";') == {"a": "😀", "b": "�"}


def test_bad_text_is_a_typed_fault() -> None:
    with pytest.raises(ParseError) as caught:
        read_strings(b'"a" = "\xff\xfe\xfa";')
    assert caught.value.reason == "bad_strings"


def test_catalogue_of_several_languages() -> None:
    data = (
        b'{"sourceLanguage":"en","strings":{"K":{"localizations":{'
        b'"de":{"stringUnit":{"value":"Schl\xc3\xbcssel"}}}},"L":{}}}'
    )
    assert read_xcstrings(data) == {"en": {"K": "K", "L": "L"}, "de": {"K": "Schlüssel"}}


@pytest.mark.parametrize("data", [b"[]", b'{"strings": 3}', b"{"])
def test_bad_catalogue_is_a_typed_fault(data: bytes) -> None:
    with pytest.raises(ParseError):
        read_xcstrings(data)


@pytest.mark.parametrize(
    "data",
    [b'"' + b'\\"' * 400_000 + b"\\", b"a" * 800_000, b"/*" * 400_000, b"a b = " * 200_000],
)
def test_hostile_text_is_read_in_one_pass(data: bytes) -> None:
    assert read_strings(data) == {}


def test_entry_that_is_none_does_not_spoil_the_next() -> None:
    assert read_strings(b'"a" "b" = "c"; = ; "d" = "e";') == {"d": "e"}


@pytest.mark.parametrize("rubbish", [b"! ", b"/ ", b"= ", b"a ", b'"a" ', b"// ", b'"\\'])
def test_megabytes_of_rubbish_hold_no_text_and_take_little_memory(rubbish: bytes) -> None:
    data = b'"a" = "b";\n' + rubbish * (200_000 // len(rubbish))
    tracemalloc.start()
    try:
        assert read_strings(data) == {"a": "b"}
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_a_file_of_texts_has_a_size() -> None:
    with pytest.raises(ParseError) as caught:
        read_strings(b" " * (MAX_BYTES + 1))
    assert caught.value.reason == "too_large"
