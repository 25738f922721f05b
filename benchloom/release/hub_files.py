"""Recognise files that Hugging Face's client adds to a release, so that checks ignore them.

In its cache, the client adds links from `snapshots/<commit>/` to files in `blobs/`. In a downloaded
folder, it adds metadata in `.cache/huggingface/`, and the file `.gitattributes` of the repository.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from benchloom.storage.seals import kind_of

ATTRIBUTES = ".gitattributes"
_NOTES = ".cache/huggingface"
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BLOB = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MAX_BYTES = 64 * 1024
_DOWNLOADED = re.compile(rb"[0-9a-f]{40}\n(?:[0-9a-f]{40}|[0-9a-f]{64})\n\d+(?:\.\d+)?\n?")
_ATTRIBUTE = re.compile(r"|# [ -~]{1,80}|[!-~]{1,80} filter=lfs diff=lfs merge=lfs -text")
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"


def is_cache_link(folder: Path, path: Path) -> bool:
    """Return whether a link in a release folder points to a file in the cache of the client."""
    if folder.parent.name != "snapshots" or not _COMMIT.fullmatch(folder.name):
        return False
    blobs = folder.parent.parent / "blobs"
    target = Path(os.path.normpath(path.parent / os.readlink(path)))  # noqa: PTH115  Path.readlink would normalise the target
    return (
        target.parent == Path(os.path.normpath(blobs))
        and _BLOB.fullmatch(target.name) is not None
        and kind_of(target) == "file"
    )


def is_hub_note(folder: Path, name: str, release_files: Iterable[str]) -> bool:
    """Return whether the Hub's client added this file or folder to a release.

    A file is recognised by its name and by its content.
    """
    path = folder / name
    if name == ATTRIBUTES:
        return kind_of(path) == "file" and _is_attributes(_content(path))
    if kind_of(path) == "folder":
        return name in _note_folders(release_files)
    if kind_of(path) != "file" or not name.startswith(f"{_NOTES}/"):
        return False
    inside = name.removeprefix(f"{_NOTES}/")
    content = _content(path)
    if inside == ".gitignore":
        return content == b"*"
    if inside == "CACHEDIR.TAG":
        return content.startswith(_TAG) and content.isascii()
    files = {f"download/{file}" for file in (*release_files, ATTRIBUTES)}
    if inside.removesuffix(".lock") in files:
        return not content
    return inside.removesuffix(".metadata") in files and bool(_DOWNLOADED.fullmatch(content))


def _note_folders(release_files: Iterable[str]) -> set[str]:
    inner = {f"{_NOTES}/download/{name}" for name in release_files}
    return {str(parent) for path in inner for parent in Path(path).parents} - {"."}


def _content(path: Path) -> bytes:
    if path.stat().st_size > _MAX_BYTES:
        return b"\0"
    return path.read_bytes()


def _is_attributes(content: bytes) -> bool:
    if not content.isascii():
        return False
    return all(_ATTRIBUTE.fullmatch(line.rstrip()) for line in content.decode().split("\n"))
