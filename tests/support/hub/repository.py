"""Repositories of the stand-in Hub with commits and tags, and the log of its requests."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class RefusedError(Exception):
    """A request that the Hub refuses, with status, message and error code."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True)
class Blob:
    """A file of a commit; `large` files are in the store of large files."""

    content: bytes
    large: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def oid(self) -> str:
        """Return Git's digest of the content, or of the pointer to a large file."""
        stored_content = self.content
        if self.large:
            size = len(self.content)
            stored_content = (
                "version https://git-lfs.github.com/spec/v1\n"
                f"oid sha256:{self.sha256}\nsize {size}\n"
            ).encode()
        return hashlib.sha1(
            b"blob %d\0" % len(stored_content) + stored_content, usedforsecurity=False
        ).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.large else self.oid

    def entry(self, path: str) -> dict[str, Any]:
        """Return the file as an entry of `tree` and `paths-info`."""
        tree_entry: dict[str, Any] = {
            "type": "file",
            "path": path,
            "size": len(self.content),
            "oid": self.oid,
        }
        if self.large:
            tree_entry["lfs"] = {"oid": self.sha256, "size": len(self.content), "pointerSize": 130}
        return tree_entry


Tree = dict[str, Blob]


@dataclass
class Repository:
    """A dataset repository, whose first commit contains `.gitattributes` as on the Hub."""

    name: str
    private: bool
    commits: dict[str, Tree] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    main: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
        self._add("initial commit", {".gitattributes": Blob(text, large=False)})

    def _add(self, title: str, tree: Tree) -> str:
        parts = [self.main, title, *(f"{path} {blob.oid}" for path, blob in sorted(tree.items()))]
        oid = hashlib.sha1("\n".join(parts).encode(), usedforsecurity=False).hexdigest()
        self.commits[oid] = tree
        self.titles.append(title)
        self.main = oid
        return oid

    def commit_named(self, revision: str) -> str:
        """Return the commit of a branch, a tag or a digest."""
        commits_by_name = {"main": self.main, **self.tags, **{oid: oid for oid in self.commits}}
        if revision not in commits_by_name:
            raise RefusedError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commits_by_name[revision]

    def tree(self, revision: str) -> Tree:
        return self.commits[self.commit_named(revision)]

    def blob(self, revision: str, path: str) -> Blob:
        file_blob = self.tree(revision).get(path)
        if file_blob is None:
            raise RefusedError(404, "Entry not found", "EntryNotFound")
        return file_blob

    def store(self, oid: str, content: bytes) -> None:
        """Store a large file; refuse it if its digest differs from the announced digest."""
        if hashlib.sha256(content).hexdigest() != oid:
            raise RefusedError(400, "the digest of the upload differs")
        self.large[oid] = content

    def commit(self, lines: bytes) -> str:
        """Make a commit of newline-delimited JSON; a refused commit changes nothing."""
        entries = [json.loads(line) for line in lines.splitlines()]
        header = entries[0]["value"]
        if header.get("parentCommit", self.main) != self.main:
            raise RefusedError(412, "A commit has happened since. Please refresh and try again.")
        tree = dict(self.commits[self.main])
        for entry in entries[1:]:
            value = entry["value"]
            match entry["key"]:
                case "file":
                    tree[value["path"]] = Blob(base64.b64decode(value["content"]), large=False)
                case "lfsFile":
                    content = self.large.get(value["oid"])
                    if content is None or len(content) != value["size"]:
                        raise RefusedError(400, f"LFS pointer pointed to nothing: {value['path']}")
                    tree[value["path"]] = Blob(content, large=True)
                case "deletedFile":
                    if tree.pop(value["path"], None) is None:
                        raise RefusedError(404, "A file with this name doesn't exist")
                case other:
                    raise RefusedError(400, f"unknown operation {other}")
        return self._add(header["summary"], tree)

    def entries(self, revision: str, folder: str, *, recursive: bool) -> list[dict[str, Any]]:
        """Return the files and folders in a folder as entries of `tree`."""
        prefix = f"{folder}/" if folder else ""
        tree = {path: blob for path, blob in self.tree(revision).items() if path.startswith(prefix)}
        folders: set[str] = set()
        for path in tree:
            parts = path[len(prefix) :].split("/")[:-1]
            names = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
            folders.update(names if recursive else names[:1])
        tree_entries = [_folder(prefix + name) for name in sorted(folders)]
        for path, blob in sorted(tree.items()):
            if recursive or "/" not in path[len(prefix) :]:
                tree_entries.append(blob.entry(path))
        if folder and not tree_entries:
            raise RefusedError(404, "Entry not found", "EntryNotFound")
        return tree_entries

    def entry(self, revision: str, path: str) -> dict[str, Any] | None:
        """Return a path as an entry of `paths-info`."""
        tree = self.tree(revision)
        if path in tree:
            return tree[path].entry(path)
        inside = any(name.startswith(f"{path}/") for name in tree)
        return _folder(path) if inside else None


def _folder(path: str) -> dict[str, Any]:
    return {"type": "directory", "path": path, "size": 0, "oid": "0" * 40}


@dataclass
class Fault:
    """A fault injected into the next `times` requests whose line `METHOD /path` matches.

    `kind` is a status like "500", "cut" (the connection ends), or "hold" (the connection ends
    without an answer when `Hub.released` is set). The first `after` matching requests succeed.
    """

    request: str
    kind: str
    times: int = 1
    after: int = 0


@dataclass
class Hub:
    """The state of the stand-in Hub.

    `log` contains every request as `METHOD /path`, and `STORED /digest` for every large file.
    """

    address: str = ""
    role: str = "write"
    """Role of the token, which limits what it may do."""
    repositories: dict[str, Repository] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.RLock = field(default_factory=threading.RLock)
    spoil: Callable[[bytes], bytes] | None = None

    def repository(self, name: str) -> Repository:
        named_repository = self.repositories.get(name)
        if named_repository is None:
            raise RefusedError(404, "Repository not found", "RepoNotFound")
        return named_repository

    def writes(self) -> list[str]:
        """Return the requests that may change something."""
        reading = ("GET ", "HEAD ")
        return [
            line for line in self.log if not line.startswith(reading) and "/paths-info/" not in line
        ]

    def stored(self) -> list[str]:
        """Return the digests of uploaded large files in order, with repetitions."""
        return [line.partition("/")[2] for line in self.log if line.startswith("STORED ")]

    def fault(self, line: str) -> str | None:
        """Return the kind of fault that is injected into a request, or None."""
        with self.lock:
            for fault in self.faults:
                if not re.match(fault.request, line):
                    continue
                if fault.after > 0:
                    fault.after -= 1
                elif fault.times > 0:
                    fault.times -= 1
                    return fault.kind
        return None
