"""This module makes a local copy of the files at a URL, and updates the copy.

It fetches files that have changed and deletes files that were removed. Then it lists the files
again, until the list equals the copy, so that no file is used that changed while it was fetched.
Names and digests of all files are in memory, but not their bytes.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from benchloom.core.progress import UnderWay, under_way
from benchloom.storage.seals import file_digest
from benchloom.storage.workspace import remove_leftovers
from scrapers.errors import MirrorError
from scrapers.mirrors import INPUTS, Address
from scrapers.mirrors.faults import local_fault
from scrapers.mirrors.record import MirroredFile, Record
from scrapers.mirrors.store import Entry, Store
from scrapers.mirrors.transfers import Transfers

_ROUNDS = 3
"""The maximum number of times that changed files are fetched."""


class MirrorResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of updating a copy.

    `files` is the number of files at the URL. `fetched` and `removed` are the numbers of files that
    changed in the copy, and `bytes` is the size of the fetched files.
    """

    url: str
    files: int
    fetched: int
    removed: int
    bytes: int

    @property
    def summary_line(self) -> str:
        """The result as a line of output."""
        if not (self.fetched or self.removed):
            return f"{self.url}: {self.files} files, unchanged"
        fetched = f"{self.fetched} of {self.files} files fetched ({self.bytes / 1e6:.1f} MB)"
        return f"{self.url}: {fetched}" + (f", {self.removed} removed" if self.removed else "")


def mirror(address: Address, workspace: Path) -> MirrorResult:
    """Make or update the copy of the files at a URL.

    The caller must have locked the workspace. After an error, complete files remain in the copy,
    and the next call continues.

    Raises:
        MirrorError: the files cannot be read, cannot be stored, or change all the time.
    """
    inputs = workspace / INPUTS
    with under_way(f"reading {address.redacted_url}", None, "files") as progress:
        store = Store(address)
        try:
            inputs.mkdir(parents=True, exist_ok=True)
            remove_leftovers(inputs)
            return _Mirror(address, workspace, store, progress).make()
        except OSError as error:
            reason = local_fault(error) or error.strerror or str(error)
            raise MirrorError(
                f"{address.redacted_url}: cannot be stored in {inputs}: {reason}"
            ) from error


class _Mirror:
    # `_fresh` are the names of the files that this mirroring has fetched.
    def __init__(self, address: Address, workspace: Path, store: Store, progress: UnderWay) -> None:
        self._address = address
        self._store = store
        self._progress = progress
        self._root = workspace / INPUTS / address.key
        self._target = address.copy_path(workspace)
        self._record = Record(self._root.with_name(f"{address.key}.jsonl"))
        self._files = self._record.read()
        self._fresh: set[str] = set()
        self._changed: set[str] = set()
        self._bytes = 0
        self._removed = 0

    def make(self) -> MirrorResult:
        faults: dict[str, str] = {}
        for number in range(_ROUNDS + 1):
            entries = self._store.entries()
            self._refuse_collisions(entries)
            self._remove_extra_files(entries)
            missing = [entry for entry in entries if not self._is_here(entry)]
            if not missing:
                return self._finish(entries)
            if number == _ROUNDS:
                break
            self._progress.start(len(missing))
            faults = self._fetch(missing)
        reason = next(
            iter(faults.values()),
            "the files change while they are read, so none is used; "
            "run again when they no longer change",
        )
        raise MirrorError(f"{self._address.redacted_url}: {reason}")

    def _finish(self, entries: list[Entry]) -> MirrorResult:
        names = {entry.name for entry in entries}
        self._refuse_lost_names(len(names))
        if self._fresh or self._files.keys() != names:
            self._files = {name: self._files[name] for name in sorted(names)}
            self._record.write(self._files.values())
        return MirrorResult(
            url=self._address.redacted_url,
            files=len(names),
            fetched=len(self._changed),
            removed=self._removed,
            bytes=self._bytes,
        )

    def _local(self, name: str) -> Path:
        return self._target / name if name else self._target

    def _is_here(self, entry: Entry) -> bool:
        # A file about which the store gives no information is fetched again.
        file_record = self._files.get(entry.name)
        if file_record is None or file_record.said != entry.version:
            return False
        if entry.name in self._fresh:
            return True
        return bool(entry.version) and self._is_intact(file_record)

    def _is_intact(self, file_record: MirroredFile) -> bool:
        path = self._local(file_record.name)
        return (
            path.is_file()
            and path.stat().st_size == file_record.bytes
            and file_digest(path) == file_record.sha256
        )

    def _refuse_collisions(self, entries: list[Entry]) -> None:
        # Only object stores allow a file and a folder of the same name.
        names = {entry.name for entry in entries}
        for name in sorted(names):
            for above in Path(name).parents:
                if above.as_posix() in names:
                    reason = f"'{above.as_posix()}' is both a file and a folder in the store"
                    raise MirrorError(f"{self._address.redacted_url}: {reason}")

    def _refuse_lost_names(self, count: int) -> None:
        # A file overwrote another whose name differs only in case or accents.
        there = sum(len(files) for _, _, files in os.walk(self._root)) if self._fresh else count
        if there < count:
            reason = (
                f"{count - there} names differ from other names only by case or accents, which "
                f"this disk cannot store"
            )
            raise MirrorError(f"{self._address.redacted_url}: {reason}")

    def _remove_extra_files(self, entries: list[Entry]) -> None:
        # All local files that the store does not contain, and all symbolic links.
        store_paths = {os.fspath(self._local(entry.name)) for entry in entries}
        if self._root.is_symlink() or self._root.is_file():
            self._root.unlink()
        for base, folders, files in os.walk(self._root, topdown=False):
            for name in (*files, *folders):
                path = Path(base) / name
                if path.is_dir() and not path.is_symlink():
                    if not any(path.iterdir()):
                        path.rmdir()
                elif os.fspath(path) not in store_paths or path.is_symlink():
                    path.unlink()
                    self._removed += os.fspath(path) not in store_paths

    def _fetch(self, missing: Iterable[Entry]) -> dict[str, str]:
        faults: dict[str, str] = {}
        with Transfers(self._store, self._root) as transfers:
            self._progress.detail = lambda: self._line(transfers.received)
            for entry, part in transfers.of(missing):
                size = part.stat().st_size
                if entry.size is not None and size != entry.size:
                    part.unlink()
                    name = entry.name or self._target.name
                    faults[entry.name] = f"{name}: {size} bytes arrived, not {entry.size}"
                    continue
                self._keep(entry, part, size)
                self._progress.advance()
        return faults

    def _line(self, received: int) -> str:
        # The bytes received show progress within a large file too.
        progress = self._progress
        files = f"{progress.done} of {progress.total} files"
        return f"{progress.name}: {files}, {received / 1e6:.0f} MB received"

    def _keep(self, entry: Entry, part: Path, size: int) -> None:
        file_record = MirroredFile(entry.name, entry.version, size, file_digest(part))
        before = self._files.get(entry.name)
        target = self._local(entry.name)
        same = (
            before is not None
            and before.sha256 == file_record.sha256
            and self._is_intact(file_record)
        )
        if same:
            part.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)
            self._changed.add(entry.name)
            self._bytes += size
        self._files[entry.name] = file_record
        self._fresh.add(entry.name)
        self._record.add(file_record)
