"""Folders of a `source_uri`: what lies together belongs together."""

from collections.abc import Iterator


def folder_of(source_uri: str) -> str:
    """The folder of a source, with its closing `/` or `!`; empty at the top of the input."""
    cut = max(source_uri.rfind("/"), source_uri.rfind("!"))
    return source_uri[: cut + 1]


def name_of(source_uri: str) -> str:
    """The name of a file without its folder."""
    return source_uri[len(folder_of(source_uri)) :]


def folder_name(folder: str) -> str:
    """The last part of a folder's path."""
    return folder.rstrip("/!").rpartition("/")[2].rpartition("!")[2]


def upwards(folder: str) -> Iterator[str]:
    """A folder and all it lies in, up to the top of the input."""
    while folder:
        yield folder
        folder = folder_of(folder.rstrip("/!"))
    yield ""
