"""Shelves: folders of this machine by an address of their own."""

from benchloom.release.publication.target import Target
from benchloom.release.publication.targets.filesystem import FileSystemTarget

SCHEMES = ("shelf",)


def open_url(url: str) -> Target:
    """The folder of a shelf."""
    return FileSystemTarget(url.replace("shelf://", "file://", 1))
