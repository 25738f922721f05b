"""What a file is that a parser does not read: the reason of its rejected row, and what to do."""

import re

from parsers.errors import ParseError

_HEAD = 4096
_MAGIC = (
    (b"PK\x03\x04", "nested_archive", "a zip archive in another archive; unpack the outer one"),
    (b"\x1f\x8b", "gzip", "a gzip file; unpack it first"),
    (b"SQLite format 3\0", "sqlite_database", "an SQLite database; 'parse definitions' reads one"),
    (b"BZh", "bzip2", "a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\0", "xz", "an xz file; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "seven_zip", "a 7-Zip archive; unpack it first"),
    (b"%PDF", "pdf", "a PDF document"),
    (b"\x89PNG", "image", "a PNG image"),
    (b"\xff\xd8\xff", "image", "a JPEG image"),
    (b"PAR1", "parquet", "a Parquet table"),
)
_COMMENT = rb"(?:\s++|//[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"
"""Possessive, so that a long run of blanks or comments is tried once."""
_HTML = re.compile(
    rb"\A\s*+(?:<!--(?:[^-]|-(?!->))*+-->\s*+)?<(?:!doctype\s++html|html|head|body)\b",
    re.IGNORECASE,
)
_KEY = rb'(?:"(?:[^"\\]|\\.)*+"|[A-Za-z0-9_.$/:-]++)'
_OPENSTEP = re.compile(
    rb"\A" + _COMMENT + rb"[({]" + _COMMENT + rb"\{?+" + _COMMENT + _KEY + rb"\s*+=[^=]", re.DOTALL
)
_RECORD_KEYS = frozenset({"recordName", "fields"})


def refuse_other_kind(data: bytes) -> None:
    """Refuse bytes that are certainly no property list and no JSON, naming what they are.

    Raises:
        ParseError: with a reason of their kind; nothing is raised for bytes of no known kind.
    """
    for magic, reason, message in _MAGIC:
        if data.startswith(magic):
            raise ParseError(reason, message)
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(head):
        message = "an HTML page, as of a sign-in or an error; download the file itself"
        raise ParseError("html_page", message)
    if _OPENSTEP.match(head):
        message = "an OpenStep property list; convert it with 'plutil -convert xml1 FILE'"
        raise ParseError("openstep_property_list", message)


def refuse_icloud_record(value: object) -> None:
    """Refuse the JSON of iCloud about a shared shortcut, which names the file and does not hold it.

    Raises:
        ParseError: icloud_record.
    """
    if isinstance(value, dict) and value.keys() >= _RECORD_KEYS:
        message = (
            "iCloud's record about a shortcut; download the file that "
            "fields.shortcut.value.downloadURL names"
        )
        raise ParseError("icloud_record", message)
