"""Tests of the memory store: stored values are right or missing, even after any damage."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from benchloom.storage.memory import Memory, digest, knows, memory, note, recall, with_memory
from benchloom.storage.memory import remembering as remember_in
from benchloom.storage.memory import store as module
from tests.support.soak import samples

COUNT = 300
WEEKS = 7 * 24 * 3_600


def key(number: int) -> bytes:
    return digest("number", str(number))


def value(number: int) -> bytes:
    return str(number).encode() * (number % 7)


def fill_memory(folder: Path, count: int = COUNT) -> Path:
    """Write values to a memory in a folder and return its file."""
    with remember_in(folder) as opened:
        assert opened is not None
        for number in range(count):
            opened.put(key(number), value(number))
    (file,) = folder.glob("*.sqlite")
    return file


def values_in(folder: Path, count: int = COUNT) -> list[bytes | None]:
    """Return the stored value of each number, or None."""
    with remember_in(folder) as opened:
        assert opened is not None
        return [opened.get(key(number)) for number in range(count)]


def test_later_run_finds_stored_values(tmp_path: Path) -> None:
    fill_memory(tmp_path / "m")
    assert values_in(tmp_path / "m") == [value(number) for number in range(COUNT)]
    assert values_in(tmp_path / "m", COUNT + 1)[-1] is None
    with remember_in(tmp_path / "m") as opened:
        assert opened is not None
        stored_values = opened.get_many([key(number) for number in range(2 * COUNT)])
    assert stored_values == [*map(value, range(COUNT)), *[None] * COUNT]


def test_values_are_found_before_they_are_written(tmp_path: Path) -> None:
    with remember_in(tmp_path) as opened:
        assert opened is not None
        opened.put(key(1), b"one")
        opened.put(key(1), b"two")
        assert opened.get_many([key(2), key(1), key(1)]) == [None, b"two", b"two"]
        assert opened.get(key(1)) == b"two"


def test_digest_depends_on_the_boundaries_of_its_parts() -> None:
    same = {digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("ab", "c", "")}
    assert len(same) == 4
    assert digest("ab", b"c") == digest(b"ab", "c")


def test_without_a_memory_everything_is_computed() -> None:
    note(key(1))
    assert memory() is None
    assert with_memory(key) is key
    assert not knows(key(1))
    assert recall(key(1), int, lambda: 3) == 3


def test_a_value_is_computed_once(tmp_path: Path) -> None:
    computations: list[int] = []

    def compute() -> list[int]:
        computations.append(1)
        return [1, 2]

    for _ in range(3):
        with remember_in(tmp_path):
            assert recall(key(1), list[int], compute) == [1, 2]
            assert not knows(key(2))
            note(key(3))
    assert len(computations) == 1
    with remember_in(tmp_path):
        assert knows(key(3))
        assert recall(key(1), str, lambda: "of another type") == "of another type"


def test_memory_of_an_outer_context_is_reused(tmp_path: Path) -> None:
    with remember_in(tmp_path / "one") as outer:
        with remember_in(tmp_path / "one", owner=False) as same:
            assert same is outer
        with remember_in(None) as same:
            assert same is outer
        with remember_in(tmp_path / "two") as other:
            assert other is not outer
        assert memory() is outer
    assert memory() is None


def test_changed_code_finds_no_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_memory(tmp_path)
    monkeypatch.setattr(module, "code_digest", lambda: "code:sha256:" + "0" * 64)
    assert set(values_in(tmp_path)) == {None}
    assert len(list(tmp_path.glob("*.sqlite"))) == 1, "the file of other code is gone"


def store_missing(folder: Path, numbers: range) -> None:
    """Store the missing values of these numbers, as a process of a stage does."""
    with remember_in(folder, owner=False) as opened:
        assert opened is not None
        for number in numbers:
            if opened.get(key(number)) is None:
                opened.put(key(number), value(number))


def test_values_of_other_processes_are_merged(tmp_path: Path) -> None:
    fill_memory(tmp_path, 10)
    context = get_context("spawn")
    with remember_in(tmp_path) as opened:
        assert opened is not None
        others = [
            context.Process(target=store_missing, args=(tmp_path, range(at, at + 150)))
            for at in (0, 100, 200)
        ]
        for other in others:
            other.start()
        for other in others:
            other.join()
        assert opened.get(key(299)) is None
        opened.flush()
        assert opened.get(key(299)) == value(299)
    assert values_in(tmp_path) == [value(number) for number in range(COUNT)]
    assert not any(path.is_dir() for path in tmp_path.iterdir())


def test_values_of_a_killed_run_are_merged_later(tmp_path: Path) -> None:
    fill_memory(tmp_path, 10)
    store_missing(tmp_path, range(COUNT))
    (learned,) = next(path for path in tmp_path.iterdir() if path.is_dir()).iterdir()
    shutil.copy(learned, learned.with_name("cut short"))
    learned.with_name("cut short").write_bytes(learned.read_bytes()[:-5])
    learned.with_name("empty").write_bytes(b"")
    with remember_in(tmp_path):
        pass
    assert values_in(tmp_path) == [value(number) for number in range(COUNT)]


@pytest.mark.parametrize("size", [1, 4, 64, 5_000])
def test_damaged_memory_returns_right_values_or_none(tmp_path: Path, size: int) -> None:
    """Damage random bytes; afterwards the memory can be filled and read again."""
    content = fill_memory(tmp_path / "m").read_bytes()
    draw = random.Random(size)
    lost = 0
    for round_number in range(samples(20, 80)):
        shutil.rmtree(tmp_path / "m")
        file = fill_memory(tmp_path / "m", 0)
        damaged = bytearray(content)
        at = draw.randrange(len(content))
        damaged[at : at + size] = draw.randbytes(min(size, len(content) - at))
        file.write_bytes(damaged)
        for number, stored_value in enumerate(values_in(tmp_path / "m")):
            assert stored_value in {None, value(number)}, round_number
            lost += stored_value is None
        file.write_bytes(damaged)
        with remember_in(tmp_path / "m", owner=False) as opened:
            assert opened is not None
            stored_values = opened.get_many([key(number) for number in range(COUNT)])
        assert all(
            stored_value in {None, value(number)}
            for number, stored_value in enumerate(stored_values)
        )
        fill_memory(tmp_path / "m")
        for number, stored_value in enumerate(values_in(tmp_path / "m")):
            assert stored_value in {None, value(number)}, round_number
    assert lost > 0


def replace_by_folder(file: Path) -> None:
    file.unlink()
    (file / "inner").mkdir(parents=True)


def replace_by_another_table(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE remembered(other TEXT)")
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"in the way"),
        lambda file: file.write_bytes(b"SQLite format 3\0"),
        replace_by_folder,
        replace_by_another_table,
    ],
    ids=["empty", "text", "cut", "folder", "another table"],
)
def test_unusable_memory_file_is_replaced(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    damage(fill_memory(tmp_path))
    assert set(values_in(tmp_path)) == {None}
    fill_memory(tmp_path)
    assert values_in(tmp_path) == [value(number) for number in range(COUNT)]


def test_memory_works_if_its_folder_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"in the way")
    with remember_in(tmp_path / "m") as opened:
        assert opened is not None
        opened.put(key(1), b"one")
        assert opened.get(key(1)) == b"one"
    with remember_in(tmp_path / "m", owner=False):
        note(key(2))
        assert knows(key(2))
    assert (tmp_path / "m").read_bytes() == b"in the way"


def test_least_recently_used_values_are_removed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for week, numbers in ((1, range(2_000)), (3, range(2_000, 4_000)), (5, range(500))):
        monkeypatch.setattr("time.time", lambda week=week: week * WEEKS)
        with remember_in(tmp_path) as opened:
            assert opened is not None
            for number in numbers:
                if opened.get(key(number)) is None:
                    opened.put(key(number), os.urandom(100))
    (file,) = tmp_path.glob("*.sqlite")
    max_bytes = file.stat().st_size * 2 // 3
    with remember_in(tmp_path) as opened:
        assert opened is not None
        opened.shrink(file.stat().st_size)
        assert opened.get(key(1_999)) is not None
        opened.shrink(max_bytes)
        assert file.stat().st_size <= max_bytes
        is_stored = [opened.get(key(number)) is not None for number in range(4_000)]
    assert all(is_stored[:500])
    assert not any(is_stored[500:1_999])
    assert all(is_stored[2_000:])


def test_many_values_are_written_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_WAITING", 10)
    opened = Memory(tmp_path / "m.sqlite", owner=True)
    for number in range(25):
        opened.put(key(number), value(number))
    reader = Memory(tmp_path / "m.sqlite", owner=False)
    assert reader.get(key(19)) == value(19)
    assert reader.get(key(20)) is None
    reader.close()
    opened.close()
