"""The hand-made inputs that tests share."""

import shutil
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "demo"
SHORTCUTS = DEMO / "shortcuts"


def in_shards(folder: Path, shortcuts: str = "**/*") -> Path:
    """Write demo shortcuts and large files without actions, so that there are several shards."""
    for path in SHORTCUTS.glob(shortcuts):
        if path.is_file():
            copy = folder / path.relative_to(SHORTCUTS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    fill_shards(folder)
    return folder


def fill_shards(folder: Path) -> None:
    """Write files without actions into a folder; each fills a shard."""
    for number in range(3):
        (folder / f"nothing-{number}.bin").write_bytes(bytes(9_000_000))
