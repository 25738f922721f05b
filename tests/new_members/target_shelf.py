"""Shelves: folders of this machine with the address scheme `shelf://`."""

from benchloom.release.publication.target import Target
from benchloom.release.publication.targets.filesystem import FileSystemTarget

SCHEMES = ("shelf",)


def open_url(url: str) -> Target:
    """Open the folder of a shelf."""
    return FileSystemTarget(url.replace("shelf://", "file://", 1))
