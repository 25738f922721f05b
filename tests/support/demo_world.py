"""Paths of the hand-made inputs that tests share, and copies of them that fill shards."""

import shutil
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "demo"
SHORTCUTS = DEMO / "shortcuts"


def write_shards(folder: Path, shortcuts: str = "**/*") -> Path:
    """Copy demo shortcuts and add large files without actions, so that there are several shards."""
    for path in SHORTCUTS.glob(shortcuts):
        if path.is_file():
            copy = folder / path.relative_to(SHORTCUTS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    fill_shards(folder)
    return folder


def fill_shards(folder: Path) -> None:
    """Write three large files without actions into a folder, each of which fills a shard."""
    for number in range(3):
        (folder / f"nothing-{number}.bin").write_bytes(bytes(9_000_000))
