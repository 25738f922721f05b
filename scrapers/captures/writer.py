"""This module writes archives of captures."""

import fcntl
import hashlib
import json
import os
from io import BytesIO
from pathlib import Path
from typing import Self

import msgspec
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchloom.core.errors import RunError
from benchloom.core.records import Capture, Header
from benchloom.storage.tables import write_table
from benchloom.storage.web_archive import (
    REFERS_FIELD,
    SITE_FIELD,
    SOURCE_FIELD,
    StoredRecord,
    iter_records,
    read_record,
)
from benchloom.storage.web_archive.archive_records import Damage, scan
from scrapers.captures.layout import LOCK_SUFFIX, index_path, state_file
from scrapers.pages.page import RenderedPage

SOFTWARE = "benchloom/0.1"
_LARGEST = 1 << 28


class CaptureWriter:
    """A writer for the archive `<folder>/<site>/<file>` of one run.

    Each record is written before the next request is sent, so the records of a killed run remain
    readable. If the archive exists, incomplete records at its end are removed first, and `earlier`
    contains the captures in it. Only one writer can be open for a site at a time.
    """

    def __init__(self, folder: Path, site: str, file: str) -> None:
        self.name = f"{site}/{file}"
        self.site = site
        self.path = folder / site / file
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = state_file(folder, site + LOCK_SUFFIX)
        lock.parent.mkdir(exist_ok=True)
        self._lock = lock.open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise RunError(f"another crawl of '{site}' writes to {folder}; wait for it") from None
        self.earlier: list[Capture] = []
        self.recovered_bytes = recover(self.path) if self.path.exists() else 0
        index_path(self.path).unlink(missing_ok=True)
        if self.path.exists() and self.path.stat().st_size:
            # The run requests damaged records again.
            self.earlier = [
                record.capture
                for record in iter_records(self.path, self.name)
                if isinstance(record, StoredRecord)
            ]
        self._file = self.path.open("ab")
        self._reader = self.path.open("rb")
        self._warc = WARCWriter(self._file, gzip=True, warc_version="WARC/1.1")
        self._captures = list(self.earlier)
        if not self._file.tell():
            record = self._warc.create_warcinfo_record(
                file, {"software": SOFTWARE, "format": "WARC File Format 1.1"}
            )
            self._warc.write_record(record)
            self._file.flush()

    def response(
        self,
        url: str,
        status: tuple[int, str],
        headers: tuple[Header, ...],
        raw: bytes,
        fetched_at: str,
    ) -> StoredRecord:
        """Store a response as it was received; `raw` is the body before decoding."""
        fields = {
            "WARC-Date": fetched_at,
            "WARC-Payload-Digest": "sha256:" + hashlib.sha256(raw).hexdigest(),
            SITE_FIELD: self.site,
        }
        return self._write("response", url, fields, raw, _http(status, headers))

    def rendered(self, url: str, page: RenderedPage, fetched_at: str) -> StoredRecord:
        """Store a page as it is after its scripts have run, with the URLs of its responses."""
        fields = {
            "WARC-Date": fetched_at,
            SITE_FIELD: self.site,
            "Content-Type": "text/html",
            SOURCE_FIELD: json.dumps(msgspec.to_builtins(page.sources)),
        }
        return self._write("resource", url, fields, page.html, None)

    def revisit(
        self, base: Capture, status: tuple[int, str], headers: tuple[Header, ...], fetched_at: str
    ) -> StoredRecord:
        """Store a revisit, a record that a URL gave the same response as the capture `base`."""
        not_modified = status[0] == 304
        profile = "server-not-modified" if not_modified else "identical-payload-digest"
        fields = {
            "WARC-Date": fetched_at,
            "WARC-Profile": f"http://netpreserve.org/warc/1.1/revisit/{profile}",
            "WARC-Refers-To-Target-URI": base.url,
            "WARC-Refers-To-Date": base.fetched_at,
            REFERS_FIELD: base.capture_id,
            SITE_FIELD: self.site,
        }
        return self._write("revisit", base.url, fields, b"", _http(status, headers))

    def fault(self, url: str, reason: str, message: str, fetched_at: str) -> StoredRecord:
        """Store a fault, a record that a request for a URL gave no usable response."""
        text = f"fault: {reason}\r\nmessage: {message}\r\n".encode()
        fields = {
            "WARC-Date": fetched_at,
            SITE_FIELD: self.site,
            "Content-Type": "application/warc-fields",
        }
        return self._write("metadata", url, fields, text, None)

    def _write(
        self,
        kind: str,
        url: str,
        fields: dict[str, str],
        payload: bytes,
        http: StatusAndHeaders | None,
    ) -> StoredRecord:
        offset = self._file.seek(0, os.SEEK_END)
        record = self._warc.create_warc_record(
            url,
            kind,
            payload=BytesIO(payload),
            length=len(payload),
            warc_headers_dict=fields,
            http_headers=http,
            warc_content_type=fields.get("Content-Type", ""),
        )
        self._warc.write_record(record)
        self._file.flush()
        # Read back to verify the write, and to get the same index row as a later scan.
        stored = read_record(self._reader, self.name, offset)
        capture = msgspec.structs.replace(
            stored.capture, offset=offset, length=self._file.tell() - offset
        )
        self._captures.append(capture)
        return StoredRecord(capture, stored.body)

    def close(self) -> None:
        """Finish the archive, write its index, and let other writers open the site."""
        if self._file.closed:
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._reader.close()
        if self._captures:
            write_table("captures", self._captures, index_path(self.path))
        else:
            self.path.unlink()  # a run without requests leaves no archive
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _http(status: tuple[int, str], headers: tuple[Header, ...]) -> StatusAndHeaders:
    fields = [(header.name, header.value) for header in headers]
    return StatusAndHeaders(f"{status[0]} {status[1]}".strip(), fields, protocol="HTTP/1.1")


def whole_bytes(path: Path) -> int:
    """Return the position after the last complete record of an archive.

    A record is complete if it has its end and its checksum. Damage before it does not matter.
    """
    end = 0
    with path.open("rb") as file:
        for member in scan(file, 0, _LARGEST, len):
            if not isinstance(member, Damage):
                end = member.offset + member.length
    return end


def recover(path: Path) -> int:
    """Remove incomplete records from the end of an archive; return the number of bytes removed."""
    end = whole_bytes(path)
    size = path.stat().st_size
    if end < size:
        with path.open("r+b") as file:
            file.truncate(end)
            os.fsync(file.fileno())
    return size - end
