"""Folders as tests compare them."""

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Map the relative path of every file below a folder to its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
