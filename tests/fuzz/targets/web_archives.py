"""Fuzz web archives, compressed or not: scan them, read their records, and recover them."""

import io
import tempfile
from contextlib import ExitStack
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Capture
from benchloom.storage.inputs import list_objects
from benchloom.storage.web_archive import StoredRecord, iter_records
from scrapers.captures.writer import whole_bytes
from tests.fuzz import Target
from tests.fuzz.rows import store_rows

_WORDS = (
    b"\x1f\x8b\x08", b"WARC/1.1\r\n", b"\r\n\r\n", b"Content-Length: ", b"99999999999", b"-1",
    b"WARC-Type: response\r\n", b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n",
    b"WARC-Payload-Digest: sha256:00\r\n", b"WARC-Target-URI: ", b"HTTP/1.1 ", "²".encode(),
)  # fmt: skip


def _archive(*, compressed: bool) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=compressed)
    for number, kind in enumerate(["response", "resource", "revisit", "metadata", "response"]):
        body = b"fault: timeout\r\nmessage: x\r\n" if kind == "metadata" else b"page" * number
        http = None
        if kind in {"response", "revisit"}:
            fields = [("Content-Type", "text/html"), ("ETag", '"a"')]
            http = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
        record = writer.create_warc_record(
            f"https://site.example/{number}",
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            warc_headers_dict={
                # The writer would make a random id, and equal seeds would give other mutants.
                "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012}>",
                "WARC-Date": "2026-02-03T04:05:06Z",
                "Benchloom-Site": "site",
            },
            http_headers=http,
            warc_content_type="application/warc-fields" if kind == "metadata" else "",
        )
        writer.write_record(record)
    return out.getvalue()


def seeds() -> list[bytes]:
    """Return an archive of five records of four types, compressed and uncompressed."""
    return [_archive(compressed=True), _archive(compressed=False)]


def accepts(data: bytes) -> bool:
    """Return whether a file is a web archive."""
    return data.startswith((b"\x1f\x8b\x08", b"WARC/"))


def read(data: bytes) -> int:
    """Return the number of captures in the archive after reading it in every way."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / ("a.warc" if data.startswith(b"WARC/") else "a.warc.gz")
        path.write_bytes(data)
        captures: list[Capture] = [
            record.capture for record in iter_records(path) if isinstance(record, StoredRecord)
        ]
        whole_bytes(path)
        for source in list_objects([path], stack):
            try:
                source.read()
            except RejectedInputError:
                continue
    return store_rows("captures", captures)


TARGET = Target("web-archives", seeds, read, words=_WORDS, accepts=accepts)
