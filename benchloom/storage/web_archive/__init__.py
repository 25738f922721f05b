"""Read web archives (WARC, gzip per record or plain), one record at a time, within size limits.

The description of a record (`Capture`) is computed from the record alone, so a lost index of the
archive can be made again. Format: ISO 28500, WARC 1.1.
"""

import re
import zlib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import digest_of_parts, tagged_digest
from benchloom.core.records.captures import Capture, CaptureKind, Header, header_value
from benchloom.storage.web_archive.archive_records import FIRST_BYTES, Damage, read_at, scan

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

MAX_BODY_BYTES = 64 * 1024 * 1024
SITE_FIELD = "Benchloom-Site"
SOURCE_FIELD = "Benchloom-Source"
REFERS_FIELD = "Benchloom-Refers-To"
_KINDS: dict[str, CaptureKind] = {
    "response": "response",
    "resource": "rendered",
    "revisit": "revisit",
    "metadata": "fault",
}
_WITHOUT_RESPONSE = frozenset({"warcinfo", "request", "conversion", "continuation"})
"""Record types of the standard that contain no response. Any unknown type counts as damage, because
a single wrong bit makes a new type."""
_STATUS = re.compile("[1-9][0-9]{2}")
_FAULT_LINE = re.compile(rb"^fault: (.*?)\r?$", re.MULTILINE)
_DROPPED_HEADERS = frozenset({"set-cookie", "set-cookie2"})


class StoredRecord(msgspec.Struct, frozen=True, gc=False):
    """A record of a web archive: its description for the index, and its decoded body."""

    capture: Capture
    body: bytes


def capture_id(url: str, status: int, body_digest: str) -> str:
    """Return the id of a response: a digest of URL, status and body digest.

    The time is left out.
    """
    return digest_of_parts("capture", (url, str(status), body_digest))


def decode_body(raw: bytes, encoding: str | None, limit: int = MAX_BODY_BYTES) -> bytes:
    """Decode the gzip or deflate encoding of an HTTP body.

    Raises:
        RejectedInputError: the body is damaged, longer than `limit` bytes, or encoded otherwise.
    """
    codings = [c.strip().lower() for c in (encoding or "").split(",") if c.strip()]
    data = raw
    for coding in reversed(codings):
        if coding == "identity":
            continue
        if coding not in {"gzip", "x-gzip", "deflate"}:
            raise RejectedInputError("bad_encoding", f"unknown content encoding '{coding[:40]}'")
        data = _inflate(data, coding, limit)
    if len(data) > limit:
        raise RejectedInputError(
            "too_large", f"the body has {len(data)} bytes; at most {limit} are read"
        )
    return data


def _inflate(data: bytes, coding: str, limit: int) -> bytes:
    # Some servers send raw deflate where the standard asks for the zlib wrapper.
    raw_deflate = coding == "deflate" and data[:1] not in {b"\x78", b"\x58", b"\x38", b"\x18"}
    inflater = zlib.decompressobj(-15 if raw_deflate else 47)
    try:
        decoded = inflater.decompress(data, limit + 1)
    except zlib.error as error:
        raise RejectedInputError("bad_encoding", f"{coding} body: {error}") from error
    if len(decoded) > limit:
        raise RejectedInputError(
            "too_large", f"the body has more than {limit} bytes when decompressed"
        )
    if not inflater.eof and data:
        raise RejectedInputError("truncated", f"{coding} body ends early")
    return decoded


def iter_records(
    path: Path, name: str | None = None, start: int = 0, limit: int = MAX_BODY_BYTES
) -> Iterator[StoredRecord | Damage]:
    """Yield all records with content of a web archive, and its damaged ranges, in file order.

    Such records are responses, rendered pages, references to earlier responses, and failed
    requests. `name` becomes `Capture.warc`. A record whose digest does not match its content counts
    as damaged.
    """
    warc = name or path.name
    with path.open("rb") as file:
        for entry in scan(file, start, limit, lambda data: _parse(data, limit, check=True)):
            if isinstance(entry, Damage):
                yield entry
            elif entry.record is not None:
                yield _with_position(entry.record, warc, entry.offset, entry.length)


def read_record(file: IO[bytes], name: str, offset: int) -> StoredRecord:
    """Read the record that starts at byte `offset`. Raises RejectedInputError if it is damaged."""
    try:
        record = _parse(read_at(file, offset, MAX_BODY_BYTES), MAX_BODY_BYTES, check=False)
    except RejectedInputError as error:
        message = f"{name} at byte {offset}: {error.message}"
        raise RejectedInputError(error.reason, message) from error
    if record is None:
        raise RejectedInputError("bad_web_archive", f"{name}: no record at byte {offset}")
    return _with_position(record, name, offset, 0)


@cache
def _faults() -> tuple[type[Exception], ...]:
    from warcio.exceptions import ArchiveLoadFailed

    stream = (EOFError, OSError, zlib.error)
    return (ArchiveLoadFailed, ValueError, AttributeError, TypeError, *stream)


def _with_position(record: StoredRecord, warc: str, offset: int, length: int) -> StoredRecord:
    capture = msgspec.structs.replace(record.capture, warc=warc, offset=offset, length=length)
    return StoredRecord(capture, record.body)


def _parse(data: bytes, limit: int, *, check: bool) -> StoredRecord | None:
    # Returns None for types of records without a response. The import takes a third of a second.
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    if not data.startswith(FIRST_BYTES):
        raise RejectedInputError("bad_web_archive", "no record starts here")
    stream = BytesIO(data)
    try:
        record = next(iter(ArchiveIterator(stream, check_digests=check)), None)
        if record is None:
            raise ArchiveLoadFailed("no record")
        if record.rec_type not in _KINDS and record.rec_type not in _WITHOUT_RESPONSE:
            raise ArchiveLoadFailed(f"unknown type of record '{str(record.rec_type)[:40]}'")
        stored = _stored_record(record, limit) if record.rec_type in _KINDS else None
        # An unknown digest algorithm is no damage.
        if stored is not None and any("failed" in p for p in record.digest_checker.problems):
            raise ArchiveLoadFailed("the digest does not match the content")
    except _faults() as error:
        raise RejectedInputError("bad_web_archive", str(error)[:160]) from error
    return stored


def _stored_record(record: "ArcWarcRecord", limit: int) -> StoredRecord:
    fields = record.rec_headers
    kind = _KINDS[record.rec_type]
    raw = _read_bounded(record, limit)
    status, headers = _http_headers(record)
    if kind == "rendered":
        sources = (value for name, value in fields.headers if name == SOURCE_FIELD)
        headers = tuple(Header(SOURCE_FIELD, value) for value in sources)
    encoding = header_value(headers, "content-encoding")
    body = raw
    if kind == "response":
        try:
            body = decode_body(raw, encoding, limit)
        except RejectedInputError:
            body = raw  # another tool's archive in an unknown coding; the body stays encoded
    url = fields.get_header("WARC-Target-URI") or ""
    digest = tagged_digest("body", body)
    fault = None
    if kind == "fault":
        match = _FAULT_LINE.search(body)
        fault = match.group(1).decode("utf-8", "replace") if match else "unknown"
    return StoredRecord(
        Capture(
            capture_id=capture_id(url, 200 if kind == "rendered" else status, digest),
            site=fields.get_header(SITE_FIELD) or "",
            kind=kind,
            url=url,
            fetched_at=fields.get_header("WARC-Date") or "",
            status=200 if kind == "rendered" else status,
            headers=headers,
            body_digest=digest,
            body_bytes=len(body),
            warc="",
            offset=0,
            length=0,
            refers_to=fields.get_header(REFERS_FIELD),
            fault=fault,
        ),
        body,
    )


def _read_bounded(record: "ArcWarcRecord", limit: int) -> bytes:
    # A stream may return less than requested, and ends without an error if it was cut.
    if record.rec_headers.get_header("Content-Length") is None:
        raise ValueError("a record without a length")
    pieces: list[bytes] = []
    size = 0
    while piece := record.raw_stream.read(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise ValueError(f"a record of more than {limit} bytes")
    if getattr(record.raw_stream, "limit", 0):
        raise ValueError("a record that ends early")
    return b"".join(pieces)


def _http_headers(record: "ArcWarcRecord") -> tuple[int, tuple[Header, ...]]:
    if record.http_headers is None:
        return 0, ()
    code = record.http_headers.get_statuscode() or "0"
    headers = tuple(
        Header(name, value)
        for name, value in record.http_headers.headers
        if name.lower() not in _DROPPED_HEADERS
    )
    return int(code) if _STATUS.fullmatch(code) else 0, headers
