"""Recognise files that no parser reads, and give the reason and remedy for the rejected row."""

import re

from parsers.errors import ParseError

SIGNED_MAGIC = b"AEA1"

_HEAD = 4096
_MAGIC = (
    (
        b"PK\x03\x04",
        "nested_archive",
        "a zip archive inside another archive; unpack the outer archive",
    ),
    (b"\x1f\x8b", "gzip", "a gzip file; unpack it first"),
    (
        b"SQLite format 3\0",
        "sqlite_database",
        "an SQLite database; read it with 'benchloom parse definitions'",
    ),
    (b"BZh", "bzip2", "a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\0", "xz", "an xz file; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "seven_zip", "a 7-Zip archive; unpack it first"),
    (b"%PDF", "pdf", "a PDF document"),
    (b"\x89PNG", "image", "a PNG image"),
    (b"\xff\xd8\xff", "image", "a JPEG image"),
    (b"PAR1", "parquet", "a Parquet table"),
)
_BLANKS = re.compile(rb"\s*+")
_BEFORE_PAGE = re.compile(rb"\s*+(?:<!--(?:[^-]|-(?!->))*+-->|<\?(?:[^?]|\?(?!>))*+\?>)")
"""A comment before an HTML page or, in XHTML, the XML declaration or another instruction."""
_PAGE = re.compile(rb"\s*+<(?:!doctype\s++html|html|head|body)\b", re.IGNORECASE)
_KEY = rb'(?:"(?:[^"\\]|\\.)*+"|[A-Za-z0-9_.$/:-]++)'
_ENTRY = re.compile(_KEY + rb"\s*+=[^=]", re.DOTALL)
"""The first key and `=` of a dictionary in an OpenStep property list."""
_RECORD_KEYS = frozenset({"recordName", "fields"})


def refuse_other_kind(data: bytes) -> None:
    """Raise for bytes that are neither a property list nor JSON; the error names their kind."""
    for magic, reason, message in _MAGIC:
        if data.startswith(magic):
            raise ParseError(reason, message)
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    if _is_page(head):
        message = "an HTML page, such as a sign-in or error page; download the file itself"
        raise ParseError("html_page", message)
    if _is_openstep(head):
        message = "an OpenStep property list; convert it with 'plutil -convert xml1 FILE'"
        raise ParseError("openstep_property_list", message)


def _is_page(head: bytes) -> bool:
    start = 0
    while before := _BEFORE_PAGE.match(head, start):
        start = before.end()
    return _PAGE.match(head, start) is not None


def _is_openstep(head: bytes) -> bool:
    start = _after_comments(head, 0)
    if head[start : start + 1] not in {b"(", b"{"}:
        return False
    start = _after_comments(head, start + 1)
    if head[start : start + 1] == b"{":
        start = _after_comments(head, start + 1)
    return _ENTRY.match(head, start) is not None


def _after_comments(head: bytes, start: int) -> int:
    # Each byte is read only once.
    while True:
        blanks = _BLANKS.match(head, start)
        start = start if blanks is None else blanks.end()
        end = {b"//": b"\n", b"/*": b"*/"}.get(head[start : start + 2])
        if end is None:
            return start
        stop = head.find(end, start + 2)
        if stop < 0:
            return len(head)
        start = stop + len(end)


def refuse_icloud_record(value: object) -> None:
    """Raise for iCloud's JSON about a shared shortcut; it only links to the shortcut's file."""
    if isinstance(value, dict) and value.keys() >= _RECORD_KEYS:
        message = (
            "iCloud's record about a shortcut; download the file that "
            "fields.shortcut.value.downloadURL names"
        )
        raise ParseError("icloud_record", message)


def is_signed(data: bytes) -> bool:
    """Whether the bytes begin like an AEA container."""
    return data.startswith(SIGNED_MAGIC)
