"""Files that belong to the code: found beside it, in a checkout as in an installed wheel."""

from importlib.resources import files
from pathlib import Path

from benchloom.core.errors import RunError


def data_path(package: str, *names: str) -> Path:
    """The place of a file or folder inside one of our packages; it need not exist.

    Raises:
        RunError: the package lies in an archive, whose members have no place of their own.
    """
    path = files(package).joinpath(*names)
    if not isinstance(path, Path):
        raise RunError(f"{package} lies in an archive; install benchloom unpacked")
    return path


def checkout() -> Path | None:
    """The root of the checkout that the code runs from, None for an installed wheel.

    A wheel has the tables inside the package: in a checkout they stand beside it, under a name
    that belongs to another package.
    """
    package = data_path("benchloom")
    return (
        None
        if (package / "storage" / "tables" / "definitions").is_dir()
        else package.resolve().parent
    )


def tables_folder() -> Path:
    """The definitions of the tables: beside the package in a checkout, inside an installed one."""
    root = checkout()
    return root / "datasets" if root else data_path("benchloom", "storage", "tables", "definitions")
