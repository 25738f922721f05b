"""Guess the kind of a file, to name it in messages about files that no reader accepts."""

import re

from benchloom.exchange.formats import FORMATS, Reading

_MAGIC = (
    (b"PAR1", "a Parquet table"),
    (b"PK\x03\x04", "a zip archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"bplist", "a binary property list, the form of shortcut files"),
    (b"AEA1", "a signed shortcut"),
    (b"\x1f\x8b", "a gzip file"),
    (b"%PDF", "a PDF document"),
)
_XML = re.compile(rb"\A\s*<\?xml")
_HTML = re.compile(rb"\A\s*<(?:!doctype html|html|head|body)", re.IGNORECASE)
_MESSAGES = re.compile(rb'"(?:messages|conversations|prompt)"\s*:\s*\[')
_SHORTCUT = re.compile(rb'"?WFWorkflowActions"?|<key>WFWorkflow')


def looks_like(name: str, head: bytes) -> str:
    """Return the likely kind of a file as words, such as "an HTML page" or the name of a format.

    `head` are the first bytes of the file.
    """
    if not head.strip():
        return "an empty file"
    container = next((word for mark, word in _MAGIC if head.startswith(mark)), None)
    if container is not None:
        return container
    for format_name, member in FORMATS.only(Reading).items():
        if member.recognises(name, head):
            return format_name
    return _text(head)


def _text(head: bytes) -> str:
    if _SHORTCUT.search(head):
        return "a shortcut"
    if _HTML.match(head):
        return "an HTML page"
    if _XML.match(head):
        return "an XML document"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start in {b"{", b"["}:
        return _json(head)
    if b"\0" in head:
        return "a binary file"
    first = head.split(b"\n", 1)[0]
    return "a CSV table" if first.count(b",") > 1 else "plain text"


def _json(head: bytes) -> str:
    return "chat messages for training" if _MESSAGES.search(head) else "JSON of an unknown form"
