"""Check localised texts: .strings as text or property list in any encoding, and .xcstrings."""

import plistlib
import tracemalloc

import pytest

from parsers.definitions.units import MAX_BYTES, read_strings, read_xcstrings
from parsers.errors import ParseError

TEXT = '/* a "comment" = "x"; */\n"a" = "A \\"b\\"\\n\\U00e9";\n// "c" = "no";\nbare.key = "B";\n'
EXPECTED = {"a": 'A "b"\né', "bare.key": "B"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_is_read_in_any_encoding(encoding: str) -> None:
    assert read_strings(TEXT.encode(encoding)) == EXPECTED


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_compiled_strings_are_read(form: plistlib.PlistFormat) -> None:
    data = plistlib.dumps({**EXPECTED, "plural": {"NSStringLocalizedFormatKey": "x"}}, fmt=form)
    assert read_strings(data) == EXPECTED


def test_escaped_surrogate_pairs_are_joined() -> None:
    assert read_strings(b'"a" = "\\Ud83d\\Ude00"; "b" = "\\Ud83d";') == {"a": "😀", "b": "�"}


def test_undecodable_text_is_refused() -> None:
    with pytest.raises(ParseError) as caught:
        read_strings(b'"a" = "\xff\xfe\xfa";')
    assert caught.value.reason == "bad_strings"


def test_catalogue_is_read_in_several_languages() -> None:
    data = (
        b'{"sourceLanguage":"en","strings":{"K":{"localizations":{'
        b'"de":{"stringUnit":{"value":"Schl\xc3\xbcssel"}}}},"L":{}}}'
    )
    assert read_xcstrings(data) == {"en": {"K": "K", "L": "L"}, "de": {"K": "Schlüssel"}}


@pytest.mark.parametrize("data", [b"[]", b'{"strings": 3}', b"{"])
def test_malformed_catalogue_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        read_xcstrings(data)


@pytest.mark.parametrize(
    "data",
    [b'"' + b'\\"' * 400_000 + b"\\", b"a" * 800_000, b"/*" * 400_000, b"a b = " * 200_000],
)
def test_hostile_text_is_read_in_one_pass(data: bytes) -> None:
    assert read_strings(data) == {}


def test_malformed_entry_costs_only_itself() -> None:
    assert read_strings(b'"a" "b" = "c"; = ; "d" = "e";') == {"d": "e"}


@pytest.mark.parametrize("garbage", [b"! ", b"/ ", b"= ", b"a ", b'"a" ', b"// ", b'"\\'])
def test_garbage_is_skipped_in_little_memory(garbage: bytes) -> None:
    data = b'"a" = "b";\n' + garbage * (200_000 // len(garbage))
    tracemalloc.start()
    try:
        assert read_strings(data) == {"a": "b"}
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_oversized_strings_file_is_refused() -> None:
    with pytest.raises(ParseError) as caught:
        read_strings(b" " * (MAX_BYTES + 1))
    assert caught.value.reason == "too_large"
