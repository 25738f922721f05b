"""Find data files that are shipped with the code, in a checkout or an installed wheel."""

from importlib.resources import files
from pathlib import Path

from benchloom.core.errors import RunError


def data_path(package: str, *names: str) -> Path:
    """Return the path of a file or folder inside a package. The path need not exist.

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
    """Return the root folder of the checkout with this code, or None for an installed wheel.

    A wheel has the table definitions inside the package; a checkout has them in the folder
    `datasets` beside it. A folder `datasets` beside a wheel belongs to another package.
    """
    package = data_path("benchloom")
    return (
        None
        if (package / "storage" / "tables" / "definitions").is_dir()
        else package.resolve().parent
    )


def tables_folder() -> Path:
    """Return the folder with the definitions of tables, in a checkout or in an installed wheel."""
    root = checkout()
    return root / "datasets" if root else data_path("benchloom", "storage", "tables", "definitions")
