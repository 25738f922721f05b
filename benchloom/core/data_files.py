"""Paths of data files shipped with the code, in a checkout or an installed wheel."""

from importlib.resources import files
from pathlib import Path

from benchloom.core.errors import RunError


def data_path(package: str, *names: str) -> Path:
    """Return the path that a file or folder has inside a package; the path need not exist.

    Raises RunError if the package is in an archive.
    """
    path = files(package).joinpath(*names)
    if not isinstance(path, Path):
        raise RunError(
            f"{package} is inside an archive, where its data files cannot be opened; "
            "install benchloom with pip"
        )
    return path


def checkout() -> Path | None:
    """Return the root of the checkout that the code runs from, None for an installed wheel.

    A wheel has the table definitions inside the package, a checkout in the folder `datasets` beside
    it. Beside a wheel, a folder `datasets` belongs to another package.
    """
    package = data_path("benchloom")
    return (
        None
        if (package / "storage" / "tables" / "definitions").is_dir()
        else package.resolve().parent
    )


def tables_folder() -> Path:
    """Return the folder of table definitions: beside the package or inside a wheel."""
    root = checkout()
    return root / "datasets" if root else data_path("benchloom", "storage", "tables", "definitions")
