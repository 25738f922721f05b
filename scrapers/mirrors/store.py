"""This module lists and fetches the files at a URL with fsspec.

Every error of fsspec or of a client that it uses becomes a `MirrorError` with a one-line message.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fsspec
import msgspec
from fsspec.callbacks import Callback

from scrapers.errors import MirrorError
from scrapers.mirrors import EXTRAS, WEB, Address, name_fault
from scrapers.mirrors.faults import local_fault, reason_of

_NO_STORES = frozenset(
    (
        *("async_wrapper", "asynclocal", "asyncwrapper", "blockcache", "cached", "data", "dir"),
        *("file", "filecache", "generic", "libarchive", "local", "pyscript", "reference"),
        *("simplecache", "tar", "zip"),
    )
)
"""Protocols of fsspec that do not read files from a server, such as archives and caches."""
_CHANGE_FIELDS = (
    *("ETag", "etag", "VersionId", "version_id", "md5Hash", "md5", "content_md5", "Content-MD5"),
    *("Digest", "crc32c", "checksum", "sha", "sha256", "blob_id"),
    *("LastModified", "last_modified", "Last-Modified", "mtime", "updated", "modified"),
)
"""Keys in the metadata of a file whose values change when the content of the file changes."""
_CONNECT, _SILENT = 30.0, 60.0
"""Maximum seconds for connecting, and between two pieces of a response."""
_AT_ONCE = 8


class Entry(msgspec.Struct, frozen=True):
    """A file at a URL.

    `name` is the path of the file relative to the URL of the input, or "" if the URL is that of a
    single file. `address` is the name with which the server finds the file, and `size` its size in
    bytes. `version` contains metadata that change with the content, or "" if there are none.
    """

    name: str
    address: str
    size: int | None
    version: str


class _Watched(Callback):  # type: ignore[misc]  # fsspec has no types
    # An error in `on_bytes` ends the transfer.
    def __init__(self, on_bytes: Callable[[int], None]) -> None:
        super().__init__()
        self._on_bytes = on_bytes

    def relative_update(self, inc: int = 1) -> None:
        super().relative_update(inc)
        self._on_bytes(self.value)


def protocol_fault(address: Address) -> str | None:
    """Return why the protocol of a URL cannot be read, or None; no server is contacted."""
    scheme = address.scheme
    if scheme in _NO_STORES or scheme not in fsspec.available_protocols():
        protocol_names = ", ".join(sorted({*fsspec.available_protocols()} - _NO_STORES))
        return f"{address.redacted_url}: unknown protocol '{scheme}'; known: file, {protocol_names}"
    try:
        fsspec.get_filesystem_class(scheme)
    except ImportError as error:
        lacking = " ".join(str(error).split())
        if (extra := EXTRAS.get(scheme)) is not None:
            lacking = f"needs the extra '{extra}': pip install 'benchloom[{extra}]'"
        return f"{address.redacted_url}: {lacking}"
    except ValueError as error:
        return f"{address.redacted_url}: {error}"
    return None


class Store:
    """The files at a URL; `at_once` is the number of files that may be fetched in parallel."""

    def __init__(self, address: Address) -> None:
        if fault := protocol_fault(address):
            raise MirrorError(fault)
        self._address = address
        with self._faults():
            # A cached instance would keep earlier credentials.
            options = {"skip_instance_cache": True, **_options(address.scheme)}
            self._files, root = fsspec.core.url_to_fs(address.url, **options)
            self._root = str(root) if address.scheme in WEB else str(root).rstrip("/")
        # Clients of other kinds hold one connection and take one request at a time.
        self.at_once = _AT_ONCE if getattr(self._files, "async_impl", False) else 1

    def try_out(self) -> None:
        """Raise MirrorError if nothing exists at the URL or it may not be read."""
        with self._faults():
            self._files.info(self._root)

    def entries(self) -> list[Entry]:
        """Return all files at the URL, sorted by name.

        Raises:
            MirrorError: there is no file, or a name cannot be that of a local file.
        """
        with self._faults():
            store_entries = self._list()
            # Some file systems cache listings, which become large and outdated.
            self._files.invalidate_cache()
        if not store_entries:
            raise MirrorError(
                f"{self._address.redacted_url}: there is no such file, or no file in the folder; "
                "check the address"
            )
        return sorted(store_entries, key=lambda entry: entry.name)

    def fetch(self, entry: Entry, target: Path, on_bytes: Callable[[int], None]) -> None:
        """Fetch a file to the path `target`.

        After each piece, `on_bytes` is called with the number of bytes that have arrived.
        """
        with self._faults(entry.name):
            self._files.get_file(entry.address, str(target), callback=_Watched(on_bytes))

    def _list(self) -> list[Entry]:
        self._files.invalidate_cache()
        if not self._address.is_folder:
            details = self._files.info(self._root)
            if details.get("type") != "directory":
                return [_entry("", self._root, details)]
        listed = self._files.find(self._root, detail=True)
        above = f"{self._root}/" if self._root else ""
        entries: list[Entry] = []
        for store_path, details in listed.items():
            # Consoles of object stores create an object named like each folder.
            if details.get("type") == "directory" or store_path.rstrip("/") == self._root:
                continue
            if store_path.endswith("/") and not details.get("size"):
                continue
            if not store_path.startswith(above):
                raise MirrorError(
                    f"{self._address.redacted_url}: the store listed '{store_path}', which is "
                    "not in this folder; check the URL"
                )
            name = store_path[len(above) :]
            for part in name.split("/"):
                if fault := name_fault(part):
                    raise MirrorError(f"{self._address.redacted_url}: {fault}")
            entries.append(_entry(name, store_path, details))
        return entries

    @contextmanager
    def _faults(self, name: str = "") -> Iterator[None]:
        where = self._address.redacted_url + (f" ({name})" if name else "")
        try:
            yield
        except MirrorError:
            raise
        except Exception as error:  # every store has another client with other errors
            if (reason := local_fault(error)) is not None:
                raise MirrorError(f"{where}: cannot be stored here: {reason}") from error
            raise MirrorError(f"{where}: {reason_of(error)}") from error


def _options(scheme: str) -> dict[str, Any]:
    if scheme in {"s3", "s3a"}:
        return {"max_concurrency": 1}  # else every file is held in several parts of 50 MB
    if scheme in WEB:
        import aiohttp

        # fsspec limits whole transfers to five minutes; trust_env reads proxies and ~/.netrc.
        limit = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT, sock_read=_SILENT)
        return {"client_kwargs": {"timeout": limit, "trust_env": True}}
    return {}


def _entry(name: str, store_path: str, details: dict[str, Any]) -> Entry:
    size = details.get("size")
    facts = {key: str(details[key]) for key in _CHANGE_FIELDS if details.get(key)}
    if facts and size is not None:
        facts["size"] = str(size)
    return Entry(name, store_path, size, json.dumps(facts, sort_keys=True) if facts else "")
