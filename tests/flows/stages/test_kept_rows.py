"""A row is made once for the same thing, whichever shard it falls into, and never for another."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from flows.stages.kept_rows import kept_rows

RUNS = tuple(f"{number:016x}" for number in range(4))
DECIDES = "stage:sha256:" + "ab" * 32


class Row(msgspec.Struct, frozen=True):
    """What is made of a text."""

    text: str
    numbers: tuple[int, ...]


def make(root: Path, run: str, shards: Iterable[Iterable[str]], decides: str = DECIDES) -> str:
    """Make the rows of some shards; the texts of those that were made anew."""
    made: list[str] = []

    def row(text: str) -> Row:
        made.append(text)
        return Row(text, (len(text), 7))

    for number, texts in enumerate(shards):
        out = root / "normalised" / f"rows-{run}"
        with kept_rows(out, "rows", decides, number, Row) as kept:
            for text in texts:
                told = [text[:1].encode(), text[1:].encode()]
                assert kept.made(told, partial(row, text)) == Row(text, (len(text), 7))
    return "".join(made)


def test_rows_that_moved_to_another_shard_are_found(tmp_path: Path) -> None:
    assert make(tmp_path, RUNS[0], ["abc", "def"]) == "abcdef"
    assert make(tmp_path, RUNS[1], ["nab", "cde", "f"]) == "n"
    assert make(tmp_path, RUNS[1], ["nab", "cdez"]) == "z"  # cut off and started again


def test_runs_before_the_last_one_are_forgotten(tmp_path: Path) -> None:
    make(tmp_path, RUNS[0], ["abc", "x"])
    make(tmp_path, RUNS[1], ["abc"])
    make(tmp_path, RUNS[2], ["ab"])
    assert make(tmp_path, RUNS[3], ["abcx"]) == "cx"
    (folder,) = (tmp_path / "reused").iterdir()
    assert {path.name[:16] for path in folder.iterdir()} == {RUNS[2], RUNS[3]}


def test_other_code_and_other_parts_are_other_rows(tmp_path: Path) -> None:
    make(tmp_path, RUNS[0], [["ab"]])
    assert make(tmp_path, RUNS[1], [["ab"]], DECIDES.replace("ab", "cd")) == "ab"
    with kept_rows(tmp_path / "normalised" / f"rows-{RUNS[2]}", "rows", DECIDES, 0, Row) as kept:
        other = Row("other", ())
        assert kept.made([b"ab"], lambda: other) == kept.made([b"", b"ab"], lambda: other) == other


@pytest.mark.parametrize("ending", ["index", "results"])
def test_a_damaged_store_costs_its_rows(tmp_path: Path, ending: str) -> None:
    make(tmp_path, RUNS[0], ["abc"])
    (path,) = (tmp_path / "reused").rglob(f"*.{ending}")
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        made = make(tmp_path, RUNS[0], ["abc"])
        assert made in ({"abc"} if ending == "index" else {"a", "b", "c"})
        path.write_bytes(whole)
    assert make(tmp_path, RUNS[1], ["abc"]) == ""


def test_a_folder_of_ones_own_keeps_nothing(tmp_path: Path) -> None:
    with kept_rows(tmp_path / "out", "rows", DECIDES, 0, Row) as kept:
        assert kept.made([b"a"], lambda: Row("a", ())) == Row("a", ())
    assert list(tmp_path.iterdir()) == []
