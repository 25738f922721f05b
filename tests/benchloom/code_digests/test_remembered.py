"""What roots use is followed once for the same code, and a store never changes what is said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchloom.code_digests import remembered, stage_code
from benchloom.code_digests.remembered import remember_code
from benchloom.code_digests.stage_code import StageCode

CODE = StageCode(stage="one", module="benchloom.identity", tables=(), work=("hex_of",))
OTHER = StageCode(stage="one", module="benchloom.words", tables=(), work=("UNTOLD",))


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The first roots of whatever is followed from now on, with a store in `tmp_path`."""
    roots: list[str] = []
    code = stage_code.own_code()
    follow = code.closure

    def noted(given: tuple[str, ...], without: tuple[str, ...]) -> object:
        roots.append(given[0])
        return follow(given, without)

    monkeypatch.setattr(remembered, "_folders", [])
    monkeypatch.setattr(code, "closure", noted)
    remember_code(tmp_path)
    yield roots
    remembered._read.cache_clear()


def store(folder: Path) -> Path:
    (found,) = folder.glob("code-*/closures.json")
    return found


def another_process() -> None:
    remembered._read.cache_clear()


def test_what_is_known_is_not_followed(tmp_path: Path, followed: list[str]) -> None:
    keys = [CODE.key(["a"]), OTHER.key(["a"]), CODE.key(["b"])]
    assert followed == ["benchloom.identity:hex_of", "benchloom.words:UNTOLD"]
    another_process()
    assert [CODE.key(["a"]), OTHER.key(["a"]), CODE.key(["b"])] == keys
    assert CODE.digest() != OTHER.digest()
    assert len(followed) == 2
    remembered._folders.clear()
    assert [CODE.key(["a"]), OTHER.key(["a"]), CODE.key(["b"])] == keys
    assert len(followed) == 5
    assert store(tmp_path).is_file()


def test_what_another_process_learned_meanwhile_stays(followed: list[str], tmp_path: Path) -> None:
    CODE.key(())
    ours = remembered._read(store(tmp_path))
    another_process()
    OTHER.key(())
    theirs = store(tmp_path).read_bytes()
    store(tmp_path).unlink()
    another_process()
    assert remembered._read(tmp_path / "code-" / "none") == {}
    CODE.key(())
    store(tmp_path).write_bytes(theirs)
    another_process()
    CODE.key(())
    OTHER.key(())
    assert len(followed) == 3
    assert ours.keys() < remembered._read(store(tmp_path)).keys()


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def with_a_bit_turned(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-20] ^= 4
    path.write_bytes(content)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def as_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut_short, with_a_bit_turned, emptied, as_a_folder])
def test_a_damaged_store_only_costs_time(
    tmp_path: Path, followed: list[str], damage: Callable[[Path], None]
) -> None:
    key = CODE.key(())
    damage(store(tmp_path))
    another_process()
    assert CODE.key(()) == key
    assert len(followed) == 2


def test_other_code_has_another_store(
    tmp_path: Path, followed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    CODE.key(())
    monkeypatch.setattr(remembered, "_code", lambda: "other")
    CODE.key(())
    assert len(followed) == 2
    assert len(list(tmp_path.glob("code-*/closures.json"))) == 2


def test_a_place_that_cannot_be_written_is_no_fault(tmp_path: Path, followed: list[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    remember_code(tmp_path / "file")
    assert CODE.key(()) == CODE.key(())
    assert len(followed) == 2
