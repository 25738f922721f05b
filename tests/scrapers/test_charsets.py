"""Check that pages are readable whatever charset the server's header names."""

from pathlib import Path

import pytest

from benchloom.core.records import Header
from scrapers.captures import CaptureWriter
from scrapers.pages.html import web_text
from tests.support.captured_tables import read_listings

WHEN = "2026-02-03T04:05:06.000007Z"
ADDRESS = "https://www.rcuts.com/"
LIST = '<!doctype html><div class="posts-wrapper"><article><h2><a href="/7.html">Café</a></h2>'
INVALID_CHARSETS = [
    "idna", "IDNA", "undefined", "punycode", "unicode_escape", "raw_unicode_escape", "hex", "rot13",
    "zlib", "bz2", "uu", "quopri", "mbcs", "oem", "utf-7", "utf_8_sig", "string-escape",
    "a" * 10_000, "²", "",
]  # fmt: skip


@pytest.mark.parametrize("name", INVALID_CHARSETS, ids=range(len(INVALID_CHARSETS)))
def test_invalid_charset_is_read_as_utf8(name: str) -> None:
    body = "é \\n +AGE- 6a".encode() + b"\xff"
    for content_type in (f"text/html; charset={name}", f'text/html;charset = "{name}"; q=1'):
        assert web_text(body, content_type) == "é \\n +AGE- 6a\ufffd"


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("gbk", "快捷".encode("gbk"), "快捷"),
        ("GB2312", "快捷".encode("gb18030"), "快捷"),
        ("big5", "捷徑".encode("big5"), "捷徑"),
        ("iso-8859-1", b"caf\xe9 \x80", "café €"),  # browsers read it as windows-1252
        ("iso_8859-1:1987", b"caf\xe9", "café"),
        ("shift_jis", "近道".encode("shift_jis"), "近道"),
        ("utf-16", "x".encode("utf-16-le"), "x"),
        ("iso-2022-kr", b"<p>x", "<p>x"),
    ],
)
def test_web_encodings_are_applied(name: str, body: bytes, text: str) -> None:
    assert web_text(body, f"text/html; charset={name}") == text


def test_byte_order_mark_overrides_the_header() -> None:
    assert web_text(b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=koi8-r") == "é"
    assert web_text("é".encode("utf-16"), None) == "é"


def test_captures_with_invalid_charsets_are_read(tmp_path: Path) -> None:
    """Older crawls stored these headers unchecked."""
    with CaptureWriter(tmp_path, "rcuts", "rcuts-00001.warc.gz") as writer:
        for number, name in enumerate(["idna", "undefined", "punycode"]):
            headers = (Header("Content-Type", f"text/html; charset={name}"),)
            writer.response(f"{ADDRESS}page/{number}", (200, "OK"), headers, LIST.encode(), WHEN)
    merged, drift = read_listings(tmp_path)
    assert [row.name for row in merged.listings] == ["Café"]
    assert [row.reason for row in merged.rejected] == ["duplicate_listing"] * 2
    assert not drift
