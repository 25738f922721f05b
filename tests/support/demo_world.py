"""The hand-made inputs that tests share."""

import shutil
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "demo"
SHORTCUTS = DEMO / "shortcuts"


def in_shards(folder: Path) -> Path:
    """The demo shortcuts beside files of nothing that fill a shard each: small, not one piece."""
    shutil.copytree(SHORTCUTS, folder)
    for number in range(3):
        (folder / f"nothing-{number}.bin").write_bytes(bytes(9_000_000))
    return folder
