"""`python -m tests.fuzz.damages WORKSPACE`: random damages to its stages and releases, each undone.

Every damage has to be found by the next reader of the folder: a stage by the reader of its mark, a
release by `release check`. What is not found, and any fault that is no `BenchloomError`, is printed
with the seed that makes it again. Nothing else may write in the workspace meanwhile.
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from benchloom.core.errors import BenchloomError, RunError
from benchloom.release import check_release
from benchloom.release.manifest import MANIFEST
from benchloom.storage.seals import files_in
from benchloom.storage.workspace import read_mark
from flows.run.finished import open_stage
from flows.stages.release import FURTHER_GATES

MARK = "stage.json"
Damage = Callable[[Random, Path, Path], None]
"""Damages a file of a folder, both given by their paths."""


def flip(chance: Random, _: Path, file: Path) -> None:
    """One bit is another one."""
    data = bytearray(file.read_bytes())
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(bytes(data) or b"?")


def truncate(chance: Random, _: Path, file: Path) -> None:
    """Its end is gone."""
    data = file.read_bytes()
    file.write_bytes(data[: chance.randrange(len(data))] if data else b"?")


def extend(chance: Random, _: Path, file: Path) -> None:
    """Something stands behind its end."""
    file.write_bytes(file.read_bytes() + chance.randbytes(chance.randint(1, 64)))


def overwrite(chance: Random, _: Path, file: Path) -> None:
    """A stretch of it is noise."""
    data = bytearray(file.read_bytes() or b"?")
    start = chance.randrange(len(data))
    noise = chance.randbytes(min(chance.randint(1, 512), len(data) - start))
    if bytes(data[start : start + len(noise)]) == noise:
        noise = bytes(byte ^ 255 for byte in noise)
    data[start : start + len(noise)] = noise
    file.write_bytes(bytes(data))


def empty(_: Random, __: Path, file: Path) -> None:
    """Nothing is left in it."""
    file.write_bytes(b"")


def double(chance: Random, _: Path, file: Path) -> None:
    """A copy with a number stands beside it."""
    number = chance.randrange(9)
    shutil.copyfile(file, file.with_name(f"{file.stem}-{number:05d}{file.suffix}"))


def remove(_: Random, __: Path, file: Path) -> None:
    """It is gone."""
    file.unlink()


def rename(_: Random, __: Path, file: Path) -> None:
    """It has another name."""
    file.rename(file.with_name(f"{file.name}.old"))


def link_elsewhere(_: Random, folder: Path, file: Path) -> None:
    """A link to equal bytes stands in its place."""
    copy = folder.parent / f".{folder.name}.{file.name}"
    shutil.move(file, copy)
    file.symlink_to(copy)


def link_to_itself(_: Random, __: Path, file: Path) -> None:
    """A link to itself stands in its place."""
    file.unlink()
    file.symlink_to(file.name)


def folder_instead(_: Random, __: Path, file: Path) -> None:
    """A folder stands in its place."""
    file.unlink()
    file.mkdir()


def swap(chance: Random, folder: Path, file: Path) -> None:
    """Its bytes are those of another file of the folder."""
    others = [
        other_file
        for other_file in files_in(folder)
        if other_file.read_bytes() != file.read_bytes()
    ]
    file.write_bytes(chance.choice(others).read_bytes() if others else b"?")


def stranger(chance: Random, _: Path, file: Path) -> None:
    """A file that nobody declared stands beside it."""
    name = chance.choice(["part-99999.parquet", "notes.txt", "evil\n.md", "data.parquet", ".x"])
    (file.parent / name).write_bytes(chance.randbytes(20))


def strange_folder(_: Random, __: Path, file: Path) -> None:
    """A folder that nobody declared stands beside it."""
    (file.parent / "more").mkdir()
    (file.parent / "more" / "part-00000.parquet").write_bytes(b"x")


def pipe(_: Random, __: Path, file: Path) -> None:
    """A pipe, which would never end, stands in its place."""
    file.unlink()
    os.mkfifo(file)


DAMAGES: tuple[Damage, ...] = (
    flip, truncate, extend, overwrite, empty, double, remove, rename, link_elsewhere,
    link_to_itself, folder_instead, swap, stranger, strange_folder, pipe,
)  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Damage, look, undo; 1 when something was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.damages", description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    outcomes: Counter[str] = Counter()
    missed = 0
    with tempfile.TemporaryDirectory(prefix="benchloom-damages-") as temporary_folder:
        copy = Path(temporary_folder) / "workspace"
        shutil.copytree(options.workspace, copy)
        stages = {path.parent: stage_of(path.parent) for path in copy.rglob(MARK)}
        folders = sorted({*stages, *(path.parent for path in copy.rglob(MANIFEST))})
        for number in range(options.seed, options.seed + options.count):
            chance = Random(number)
            folder = chance.choice(folders)
            file = chance.choice(files_in(folder))
            damage = chance.choice(DAMAGES)
            with undone(folder):
                damage(chance, folder, file)
                outcome = look(folder, stages.get(folder))
            outcomes[f"{damage.__name__}: {outcome}"] += 1
            if outcome != "found":
                missed += 1
                where = file.relative_to(copy)
                print(f"seed {number}: {damage.__name__} of {where}: {outcome}", flush=True)
    for name, count in sorted(outcomes.items()):
        print(f"{count:5} {name}")
    print(f"{options.count} damages to {len(folders)} folders, {missed} missed")
    return 1 if missed else 0


@contextlib.contextmanager
def undone(folder: Path) -> Iterator[None]:
    """Restore the folder's contents on exit."""
    backup = folder.with_name(f"{folder.name}.kept")
    shutil.copytree(folder, backup)
    try:
        yield
    finally:
        shutil.rmtree(folder)
        backup.rename(folder)
        for left in folder.parent.glob(f".{folder.name}.*"):
            left.unlink()


def stage_of(folder: Path) -> str:
    """The stage that is complete in a folder."""
    mark = read_mark(folder)
    if mark is None:
        raise RunError(f"{folder} holds no complete stage")
    return mark.stage


def look(folder: Path, stage: str | None) -> str:
    """Outcome of reading a folder: `found`, `missed`, or an error of the wrong type."""
    try:
        if stage is None:
            check_release(folder, FURTHER_GATES)
        else:
            open_stage(folder, stage)
    except BenchloomError:
        return "found"
    except Exception as error:  # noqa: BLE001  fuzzing looks for any exception
        return f"{type(error).__name__}: {error}"
    return "missed"


if __name__ == "__main__":
    sys.exit(main())
