"""Damage a copy of a workspace at random and check that every damage is found.

`python -m tests.fuzz.damages WORKSPACE` damages one file at a time and restores it. The next reader
of the folder has to find the damage: the reader of a stage's mark, or `release check`. A damage
that is missed, and any error that is no `BenchloomError`, is printed with the seed that repeats it.
Nothing else may write to the workspace while it is copied.
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
"""A function that damages a file of a folder; it gets the paths of both."""


def flip(chance: Random, _: Path, file: Path) -> None:
    """Invert one bit of the file."""
    data = bytearray(file.read_bytes())
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(bytes(data) or b"?")


def truncate(chance: Random, _: Path, file: Path) -> None:
    """Cut off the end of the file."""
    data = file.read_bytes()
    file.write_bytes(data[: chance.randrange(len(data))] if data else b"?")


def extend(chance: Random, _: Path, file: Path) -> None:
    """Append random bytes to the file."""
    file.write_bytes(file.read_bytes() + chance.randbytes(chance.randint(1, 64)))


def overwrite(chance: Random, _: Path, file: Path) -> None:
    """Overwrite a part of the file with random bytes."""
    data = bytearray(file.read_bytes() or b"?")
    start = chance.randrange(len(data))
    noise = chance.randbytes(min(chance.randint(1, 512), len(data) - start))
    if bytes(data[start : start + len(noise)]) == noise:
        noise = bytes(byte ^ 255 for byte in noise)
    data[start : start + len(noise)] = noise
    file.write_bytes(bytes(data))


def empty(_: Random, __: Path, file: Path) -> None:
    """Empty the file."""
    file.write_bytes(b"")


def duplicate(chance: Random, _: Path, file: Path) -> None:
    """Copy the file to a numbered name beside it."""
    number = chance.randrange(9)
    shutil.copyfile(file, file.with_name(f"{file.stem}-{number:05d}{file.suffix}"))


def remove(_: Random, __: Path, file: Path) -> None:
    """Delete the file."""
    file.unlink()


def rename(_: Random, __: Path, file: Path) -> None:
    """Rename the file."""
    file.rename(file.with_name(f"{file.name}.old"))


def link_elsewhere(_: Random, folder: Path, file: Path) -> None:
    """Replace the file by a link to an equal file outside the folder."""
    copy = folder.parent / f".{folder.name}.{file.name}"
    shutil.move(file, copy)
    file.symlink_to(copy)


def link_to_itself(_: Random, __: Path, file: Path) -> None:
    """Replace the file by a link to itself."""
    file.unlink()
    file.symlink_to(file.name)


def replace_by_folder(_: Random, __: Path, file: Path) -> None:
    """Replace the file by a folder."""
    file.unlink()
    file.mkdir()


def replace_content(chance: Random, folder: Path, file: Path) -> None:
    """Replace the content of the file by that of another file of the folder."""
    others = [
        other_file
        for other_file in files_in(folder)
        if other_file.read_bytes() != file.read_bytes()
    ]
    file.write_bytes(chance.choice(others).read_bytes() if others else b"?")


def add_file(chance: Random, _: Path, file: Path) -> None:
    """Add an undeclared file beside the file."""
    name = chance.choice(["part-99999.parquet", "notes.txt", "evil\n.md", "data.parquet", ".x"])
    (file.parent / name).write_bytes(chance.randbytes(20))


def add_folder(_: Random, __: Path, file: Path) -> None:
    """Add an undeclared folder beside the file."""
    (file.parent / "more").mkdir()
    (file.parent / "more" / "part-00000.parquet").write_bytes(b"x")


def replace_by_pipe(_: Random, __: Path, file: Path) -> None:
    """Replace the file by a pipe, which a reader would wait for without end."""
    file.unlink()
    os.mkfifo(file)


DAMAGES: tuple[Damage, ...] = (
    flip, truncate, extend, overwrite, empty, duplicate, remove, rename, link_elsewhere,
    link_to_itself, replace_by_folder, replace_content, add_file, add_folder, replace_by_pipe,
)  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Damage the files of a workspace one by one; return 1 if any damage was missed."""
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
            with restored(folder):
                damage(chance, folder, file)
                outcome = check_folder(folder, stages.get(folder))
            outcomes[f"{damage.__name__}: {outcome}"] += 1
            if outcome != "found":
                missed += 1
                path_in_workspace = file.relative_to(copy)
                print(
                    f"seed {number}: {damage.__name__} of {path_in_workspace}: {outcome}",
                    flush=True,
                )
    for name, count in sorted(outcomes.items()):
        print(f"{count:5} {name}")
    print(f"{options.count} damages to {len(folders)} folders, {missed} missed")
    return 1 if missed else 0


@contextlib.contextmanager
def restored(folder: Path) -> Iterator[None]:
    """Restore the contents of the folder on exit."""
    backup = folder.with_name(f"{folder.name}.kept")
    shutil.copytree(folder, backup)
    try:
        yield
    finally:
        shutil.rmtree(folder)
        backup.rename(folder)
        for copied_file in folder.parent.glob(f".{folder.name}.*"):
            copied_file.unlink()


def stage_of(folder: Path) -> str:
    """Return the name of the complete stage in a folder."""
    mark = read_mark(folder)
    if mark is None:
        raise RunError(f"{folder} contains no complete stage")
    return mark.stage


def check_folder(folder: Path, stage: str | None) -> str:
    """Return `found` or `missed`, or the text of an error of the wrong type."""
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
