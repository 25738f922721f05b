"""Find the folder in a `source_uri`; files in the same folder belong together."""

from collections.abc import Iterator


def folder_of(source_uri: str) -> str:
    """Return the folder part of a `source_uri`, ending in `/` or `!`.

    The folder of a file at the top of the input is empty.
    """
    cut = max(source_uri.rfind("/"), source_uri.rfind("!"))
    return source_uri[: cut + 1]


def name_of(source_uri: str) -> str:
    """Return the name of a file without its folder."""
    return source_uri[len(folder_of(source_uri)) :]


def folder_name(folder: str) -> str:
    """Return the last part of a folder's path."""
    return folder.rstrip("/!").rpartition("/")[2].rpartition("!")[2]


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and all folders that contain it, up to the top of the input."""
    while folder:
        yield folder
        folder = folder_of(folder.rstrip("/!"))
    yield ""
