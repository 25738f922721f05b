"""Check that both fast readers agree with plistlib and refuse files that they do not support."""

import plistlib
import zipfile
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.errors import ParseError, UnusualError
from parsers.property_lists import is_binary, read_binary, read_xml, xml_start
from parsers.property_lists.fast_binary import read_ordinary_binary
from parsers.property_lists.fast_xml import read_ordinary_xml
from tests.support.shared_data import shared_file
from tests.support.soak import samples

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
SCALARS = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | TEXT
    | st.binary(max_size=40)
    | st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(
        lambda d: d.replace(microsecond=0)
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda children: st.lists(children, max_size=20) | st.dictionaries(TEXT, children, max_size=20),
    max_leaves=60,
)


@given(VALUES)
@settings(max_examples=samples(80, 300), deadline=None)
def test_binary_reader_agrees_with_plistlib(value: object) -> None:
    data = plistlib.dumps(value, fmt=plistlib.FMT_BINARY)  # type: ignore[arg-type]  # values of any type
    expected = plistlib.loads(data)
    assert repr(read_binary(data)) == repr(expected)


@given(VALUES)
@settings(max_examples=samples(80, 300), deadline=None)
def test_xml_reader_agrees_with_plistlib(value: object) -> None:
    data = plistlib.dumps(value, fmt=plistlib.FMT_XML)  # type: ignore[arg-type]  # values of any type
    expected = plistlib.loads(data)
    assert repr(read_xml(data)[0]) == repr(expected)


@pytest.mark.parametrize(
    "body",
    [
        "<dict><!-- a note --><key>a</key><string>b</string></dict>",
        "<array><string><![CDATA[<b>]]></string></array>",
        "<array><date>2020-02-03T04:05Z</date></array>",
        "<array><integer>0x1F</integer></array>",
        "<array><string>a&#x41;&#66;&amp;</string></array>",
        "<array><string>line\r\nline</string></array>",
    ],
)
def test_unusual_xml_is_read_by_plistlib(body: str) -> None:
    data = f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">{body}</plist>'.encode()
    assert read_xml(data)[0] == plistlib.loads(data)


ORDINARY = {
    "numbers": [0, -1, 255, 256, 70_000, 2**40, -(2**40), 2.5, -0.125],
    "flags": [True, False],
    "when": datetime.fromisoformat("2024-02-29T12:30:15"),
    "bytes": b"raw" * 9,
    "long text of more than fifteen letters": "x" * 300,
    "other letters": "Größe 東京",
    "nested": {"list": [{"deep": ["a", "b"]}] * 17},
}


@pytest.mark.parametrize(
    "body",
    [
        "<array><key>a</key><string>b</string></array>",
        "<array><key></key><string>b</string></array>",
        "<dict><key></key><string>b</string></dict>",
        "<dict><string>b</string></dict>",
        "<dict><key>a</key></dict>",
        "<dict><key>a</key><key>b</key><string>c</string></dict>",
        "<dict><key>a</key></plist></dict>",
        "<dict><key>a</key>b<string>c</string></dict>",
    ],
)
def test_fast_xml_refuses_keys_without_values(body: str) -> None:
    with pytest.raises(UnusualError):
        read_ordinary_xml(f"<plist>{body}</plist>".encode())


def test_entities_in_keys_and_texts_are_decoded() -> None:
    body = "<dict><key>a&amp;b</key><string>&lt;&#65;</string></dict>"
    assert read_ordinary_xml(f"<plist>{body}</plist>".encode()) == {"a&b": "<A"}


def test_fast_binary_reads_ordinary_values() -> None:
    data = plistlib.dumps(ORDINARY, fmt=plistlib.FMT_BINARY, sort_keys=False)
    value, repeated = read_ordinary_binary(data)
    assert repr(value) == repr(ORDINARY)
    assert not repeated


def test_fast_xml_reads_ordinary_values() -> None:
    body = "<array><string>a&#x41;&#66;&amp;</string><string>&lt;&#8364;</string></array>"
    data = f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">{body}</plist>'.encode()
    assert read_ordinary_xml(data) == ["aAB&", "<€"]
    data = plistlib.dumps(ORDINARY, fmt=plistlib.FMT_XML, sort_keys=False)
    assert repr(read_ordinary_xml(data)) == repr(ORDINARY)


def test_fast_binary_refuses_uids_and_sets() -> None:
    data = plistlib.dumps({"a": plistlib.UID(7)}, fmt=plistlib.FMT_BINARY)
    with pytest.raises(UnusualError):
        read_ordinary_binary(data)
    assert read_binary(data) == {"a": plistlib.UID(7)}


@given(st.binary(max_size=200))
@settings(max_examples=samples(80, 300), deadline=None)
def test_noise_after_the_file_header_is_read_or_refused(noise: bytes) -> None:
    for head in (b"bplist00", b"<?xml version='1.0'?><plist>"):
        data = head + noise
        try:
            read_binary(data) if is_binary(data) else read_xml(data)
        except ParseError as error:
            assert error.reason
            assert "\n" not in error.message


@given(st.data())
@settings(max_examples=samples(80, 200), deadline=None)
def test_changed_byte_is_read_or_refused(data: st.DataObject) -> None:
    valid_data = plistlib.dumps(
        {"name": "x" * 20, "list": [1, 2.5, True, b"raw", {"deep": ["text"] * 5}]},
        fmt=plistlib.FMT_BINARY,
    )
    at = data.draw(st.integers(8, len(valid_data) - 1))
    flipped = valid_data[:at] + bytes([data.draw(st.integers(0, 255))]) + valid_data[at + 1 :]
    try:
        read_binary(flipped)
    except ParseError as error:
        assert error.reason in {"bad_property_list", "bad_text", "too_deep", "truncated"}


@pytest.mark.real_data
def test_real_files_agree_with_plistlib() -> None:
    compared = 0
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if not name.endswith(".plist") or data.lstrip().startswith((b"{", b"[")):
                continue
            if is_binary(data):
                assert repr(read_binary(data)) == repr(plistlib.loads(data)), name
            else:
                start = xml_start(data)
                assert start is not None
                value, stripped = read_xml(data)
                if not stripped:
                    assert repr(value) == repr(plistlib.loads(start)), name
            compared += 1
    assert compared > 600


@pytest.mark.parametrize(
    "body",
    [
        "<array>",
        "<dict>",
        "<array><string>a</string>",
        "<dict><key>a</key><array>",
        "<dict><key>a</key><array></array>",
        "<array><dict></array>",
        "<array><dict></array></dict>",
        "<dict><key>a</key></dict>",
        "<dict><key>a</key><key>b</key><string>c</string></dict>",
        "<dict><string>a</string></dict>",
        "<array><key>a</key></array>",
        "</array>",
        "<array></array></array>",
        "<string>a</string><string>b</string>",
        "<array/><array>",
        "<array/><array/>",
        "<array><string>open</array>",
        "<array></dict>",
        "<array><unknown/></array>",
        "<array>stray text</array>",
        "",
    ],
)
def test_fast_xml_refuses_malformed_structures(body: str) -> None:
    data = f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">{body}</plist>'.encode()
    with pytest.raises(UnusualError):
        read_ordinary_xml(data)
    try:
        expected = plistlib.loads(data)
    except Exception:  # noqa: BLE001  plistlib raises many types; our reader raises one
        with pytest.raises(ParseError):
            read_xml(data)
    else:
        assert read_xml(data)[0] == expected


@pytest.mark.parametrize(
    "missing", ["</plist>", "</array></plist>", "</string></array></plist>", ">"]
)
def test_truncated_xml_is_refused(missing: str) -> None:
    data = b'<plist version="1.0"><array><string>a</string></array></plist>'
    cut = data.removesuffix(missing.encode())
    with pytest.raises(UnusualError):
        read_ordinary_xml(cut)
    with pytest.raises(ParseError) as caught:
        read_xml(cut)
    assert caught.value.reason == "bad_property_list"
