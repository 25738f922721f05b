"""This module finds captures by their URL, and reads the bodies of captures from archives."""

import threading
from pathlib import Path
from typing import IO

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Capture
from benchloom.core.structs import HeldOnce
from benchloom.storage.web_archive import read_record
from scrapers.captures.index import ArchiveIndex
from scrapers.captures.layout import archives_in, index_path

_IN_COMMON = ("site", "kind", "fetched_at", "headers", "warc", "refers_to", "fault")


class CaptureStore:
    """The captures of a captures folder in memory, to find the newest response of a URL.

    `sites` limits the captures to the folders of these sites. Besides responses, the store contains
    only the newest record of each URL, which may be a revisit or a fault.
    """

    def __init__(self, folder: Path, sites: tuple[str, ...] | None = None) -> None:
        self.folder = folder
        self._latest: dict[tuple[str, bool], Capture] = {}
        self._by_id: dict[str, Capture] = {}
        self._seen: dict[str, Capture] = {}
        self._files: dict[str, IO[bytes]] = {}
        self._guard = threading.Lock()
        for warc, problem in archives_in(folder, sites):
            cache: HeldOnce[Capture] = HeldOnce(*_IN_COMMON)
            for capture in ArchiveIndex(folder, warc) if problem is None else ():
                self.add(cache(capture))

    def add(self, capture: Capture) -> None:
        """Add a capture, which becomes the newest capture of its URL."""
        self._seen[capture.url] = capture
        if capture.kind in {"response", "rendered"}:
            self._latest[capture.url, capture.kind == "rendered"] = capture
            self._by_id[capture.capture_id] = capture
        elif capture.kind == "revisit" and capture.refers_to in self._by_id:
            base = self._by_id[capture.refers_to]
            self._latest[capture.url, base.kind == "rendered"] = base

    def latest(self, url: str, *, rendered: bool = False) -> Capture | None:
        """Return the newest response of a URL that has a body, or None.

        A revisit is a record that a later crawl stores if a page has not changed. It has no body,
        and makes the response that it refers to the newest response.
        """
        return self._latest.get((url, rendered))

    def last_seen(self, url: str) -> Capture | None:
        """Return the newest record of a URL (a response, a revisit or a fault), or None."""
        return self._seen.get(url)

    def by_id(self, capture_id: str) -> Capture | None:
        """Return the newest response with this capture id, or None."""
        return self._by_id.get(capture_id)

    def body(self, capture: Capture) -> bytes:
        """Read the body of a response from its archive, decoded and with its digest checked.

        Raises:
            RunError: the archive is damaged or cannot be read.
        """
        with self._guard:
            try:
                file = self._files.get(capture.warc)
                if file is None:
                    file = self._files[capture.warc] = (self.folder / capture.warc).open("rb")
            except OSError as error:
                raise _damage_error(self.folder, capture, str(error)) from error
            return body_of(self.folder, capture, file)

    def close(self) -> None:
        """Close every archive that is open."""
        for file in self._files.values():
            file.close()
        self._files.clear()


def body_of(folder: Path, capture: Capture, file: IO[bytes]) -> bytes:
    """Read the body of a capture from its open archive, decoded and with its digest checked.

    Raises:
        RunError: the archive is damaged or cannot be read.
    """
    try:
        stored = read_record(file, capture.warc, capture.offset)
    except (RejectedInputError, OSError) as error:
        raise _damage_error(folder, capture, str(error)) from error
    if tagged_digest("body", stored.body) != capture.body_digest:
        raise _damage_error(folder, capture, "the body differs from the captured one")
    return stored.body


def _damage_error(folder: Path, capture: Capture, fault: str) -> RunError:
    index = index_path(folder / capture.warc).relative_to(folder)
    return RunError(
        f"{capture.warc} at byte {capture.offset}: {fault}; restore a copy of the archive, or "
        f"remove {index}, so that the archive is read again and damaged records are rejected"
    )
