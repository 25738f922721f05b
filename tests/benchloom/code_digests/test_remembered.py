"""What roots use is followed once for the same code, and a store never changes what is said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchloom.code_digests import remembered, stage_code
from benchloom.code_digests.remembered import remembering_code
from benchloom.code_digests.stage_code import StageCode

CODE = StageCode(stage="one", module="benchloom.identity", tables=(), work=("hex_of",))
JUDGING = StageCode(stage="one", module="benchloom.errors", tables=(), work=("RunError",))
OTHER = StageCode(stage="one", module="benchloom.words", tables=(), work=("UNTOLD",))


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The first roots of whatever is followed from now on."""
    roots: list[str] = []
    code = stage_code.own_code()
    follow = code.closure

    def noted(given: tuple[str, ...], without: tuple[str, ...]) -> object:
        roots.append(given[0])
        return follow(given, without)

    monkeypatch.setattr(code, "closure", noted)
    remembered._read.cache_clear()
    yield roots
    remembered._read.cache_clear()


def store(folder: Path) -> Path:
    (found,) = folder.glob("code-*/closures.json")
    return found


def key(code: StageCode, folder: Path, *parts: str) -> str:
    """The key of a stage, by what a process knows that works there."""
    remembered._read.cache_clear()
    with remembering_code(folder):
        return code.key(parts)


def test_what_is_known_is_not_followed(tmp_path: Path, followed: list[str]) -> None:
    told = [(CODE, "a"), (OTHER, "a"), (CODE, "b")]
    keys = [key(code, tmp_path, part) for code, part in told]
    assert followed == ["benchloom.identity:hex_of", "benchloom.words:UNTOLD"]
    assert [key(code, tmp_path, part) for code, part in told] == keys
    assert len(followed) == 2
    assert [code.key([part]) for code, part in told] == keys  # where nothing is remembered
    assert len(followed) == 5
    assert CODE.digest() != OTHER.digest()


def test_what_another_process_learned_meanwhile_stays(followed: list[str], tmp_path: Path) -> None:
    key(CODE, tmp_path)
    ours = store(tmp_path).read_bytes()
    store(tmp_path).unlink()
    key(OTHER, tmp_path)
    with remembering_code(tmp_path):
        theirs = remembered._read(store(tmp_path))
        store(tmp_path).write_bytes(ours)
        JUDGING.key(())
    assert theirs.keys() & remembered._read(store(tmp_path)).keys() == set()
    assert len(remembered._read(store(tmp_path))) == 2
    assert len(followed) == 3


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
    before = key(CODE, tmp_path)
    damage(store(tmp_path))
    assert key(CODE, tmp_path) == before
    assert len(followed) == 2


def test_other_code_has_another_store(
    tmp_path: Path, followed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key(CODE, tmp_path)
    monkeypatch.setattr(remembered, "_code", lambda: "other")
    key(CODE, tmp_path)
    assert len(followed) == 2
    assert len(list(tmp_path.glob("code-*/closures.json"))) == 2


def test_a_place_that_cannot_be_written_is_no_fault(tmp_path: Path, followed: list[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert key(CODE, tmp_path / "file") == key(CODE, tmp_path / "file")
    assert len(followed) == 2
