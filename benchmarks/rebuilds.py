"""A rebuild with 1 % new input over a full one: processor time of everything that a run starts.

    python -m benchmarks.rebuilds COUNT

prints the seconds over a world of `benchmarks.worlds` with so many shortcuts. Both runs are the
command, with Prefect and its server; every hundredth file is new.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from benchmarks.worlds import write_world

COUNT = 2_000
SHARE = 100
"""Every so many files, and every so many dialogues, one is new."""
_SUBREAPER = 36
"""Of `prctl`: processes whose parent is gone become children of this one, and are counted."""
_CONFIG = """workers = 2
[sources]
shortcuts = ["shortcuts"]
definitions = ["definitions"]
sgd = ["dialogues"]
[generate]
steps = ["query", "instruction"]
writer = "template"
"""


def ratios() -> list[tuple[str, float, str]]:
    """The second rebuild over the first one of the same files in a fresh workspace."""
    full, again = measured(COUNT)
    return [(f"rebuild with 1 % new input over full, {COUNT} shortcuts", again / full, "<= 0.06")]


def measured(count: int) -> tuple[float, float]:
    """Processor seconds of a rebuild of everything, and of one after 1 % of it came."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        write_world(count, folder)
        (folder / "rebuild.toml").write_text(_CONFIG)
        held = _unpack(folder)
        old, fresh = folder / "old", folder / "fresh"
        _seconds(folder, old)
        for path, content in held.items():
            path.write_bytes(content)
        again = _seconds(folder, old)
        return _seconds(folder, fresh), again


def _unpack(folder: Path) -> dict[Path, bytes]:
    """Archives as files, and a file for each dialogue; every hundredth is given back instead."""
    files: dict[Path, bytes] = {}
    for path in sorted((folder / "shortcuts").glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            files |= {path.parent / name: archive.read(name) for name in archive.namelist()}
        path.unlink()
    for path in sorted((folder / "dialogues").rglob("dialogues_*.json")):
        for number, row in enumerate(json.loads(path.read_bytes())):
            place = path.with_name(f"{path.stem}{number:05d}.json")
            files[place] = json.dumps([row]).encode()
        path.unlink()
    held = dict(list(files.items())[SHARE // 2 :: SHARE])
    for path, content in files.items():
        if path not in held:
            path.write_bytes(content)
    return held


def _seconds(folder: Path, workspace: Path) -> float:
    """Processor seconds of a rebuild, in an interpreter that takes in all that it leaves behind."""
    words = [sys.executable, "-m", "benchmarks.rebuilds", "--alone", str(folder), str(workspace)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def _alone(folder: Path, workspace: Path) -> float:
    import ctypes

    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    command = ["rebuild", "--config", str(folder / "rebuild.toml"), "--workspace", str(workspace)]
    words = [sys.executable, "-m", "flows.cli", *command]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print what both rebuilds take."""
    if sys.argv[1:2] == ["--alone"]:
        told = str(_alone(Path(sys.argv[2]), Path(sys.argv[3])))
    else:
        full, again = measured(int(sys.argv[1]))
        told = f"full {full:.1f} s, with 1 % new input {again:.1f} s: {again / full:.3f}"
    sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main()
