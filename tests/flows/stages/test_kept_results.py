"""Results of an earlier run are found again, and never instead of others."""

import os
from pathlib import Path

import pytest

from flows.stages.kept_results import KEY_BYTES, KeptResults

KEYS = [bytes([number]) * KEY_BYTES for number in range(6)]


def fill(folder: Path) -> None:
    with KeptResults(folder, "made") as kept:
        for number, key in enumerate(KEYS):
            kept.keep(key, b"result %d" % number)


def found(folder: Path) -> list[bytes | None]:
    with KeptResults(folder, "made") as kept:
        results = [kept.find(key) for key in KEYS]
        for key, result in zip(KEYS, results, strict=True):
            if result is not None:
                kept.keep(key, result)
    return results


def test_what_was_kept_is_found_again_and_again(tmp_path: Path) -> None:
    assert found(tmp_path) == [None] * len(KEYS)
    fill(tmp_path)
    wanted = [b"result %d" % number for number in range(len(KEYS))]
    assert found(tmp_path) == wanted
    assert found(tmp_path) == wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.index", "made.results"]


def test_what_was_not_used_is_forgotten(tmp_path: Path) -> None:
    fill(tmp_path)
    with KeptResults(tmp_path, "made") as kept:
        kept.keep(KEYS[0], kept.find(KEYS[0]) or b"")
    assert found(tmp_path) == [b"result 0", *[None] * 5]
    assert (tmp_path / "made.results").stat().st_size == len(b"result 0")


def test_every_flipped_byte_costs_what_it_touches(tmp_path: Path) -> None:
    fill(tmp_path)
    wanted = set(found(tmp_path))
    for name in ("made.results", "made.index"):
        whole = (tmp_path / name).read_bytes()
        for place in range(0, len(whole), 7):
            fill(tmp_path)
            (tmp_path / name).write_bytes(
                whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
            )
            left = [one for one in found(tmp_path) if one is not None]
            assert len(left) < len(KEYS)
            assert set(left) <= wanted


def test_a_run_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    fill(tmp_path)
    with pytest.raises(ValueError, match="stop"), KeptResults(tmp_path, "made") as kept:
        kept.keep(KEYS[0], b"other")
        raise ValueError("stop")
    assert found(tmp_path)[0] == b"result 0"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_refuses_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    fill(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    target = os if call == "fsync" else Path
    with monkeypatch.context() as patched:
        patched.setattr(target, call, refuse)
        with KeptResults(tmp_path, "made") as kept:
            kept.keep(KEYS[0], b"other")
    assert found(tmp_path)[0] == b"result 0"
    assert len(list(tmp_path.iterdir())) == 2
