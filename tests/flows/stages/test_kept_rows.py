"""A row is made once of the same things, whichever shard it falls into, and never of others."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchloom.records import Rejected
from benchloom.sealing import file_digest
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import TableWriter
from benchloom.tables.row_keys import keys_of_part
from flows.stages.kept_rows import KeptRows, kept_rows, shard_key

RUNS = tuple(f"{number:016x}" for number in range(4))
DECIDES = "stage:sha256:" + "ab" * 32
TABLE = "rejected"


def folder_of(root: Path, run: str) -> Path:
    return root / "normalised" / f"rows-{run}"


def make(root: Path, run: str, shards: Iterable[Iterable[str]], decides: str = DECIDES) -> str:
    """Make the rows of some shards; the texts of those that were made anew."""
    made: list[str] = []
    out = folder_of(root, run)
    for number, texts in enumerate(shards):
        with (
            kept_rows(out, decides, number, (TABLE,)) as kept,
            TableWriter(TABLE, part_path(out, TABLE, number)) as writer,
        ):
            for text in texts:
                key = kept.key(text[:1].encode(), text[1:].encode())
                kept.note(key)
                found = kept.find(key)
                if found is None:
                    made.append(text)
                    writer.add(Rejected("made", text, "reason", f"{text} by {decides[-2:]}"))
                else:
                    writer.add(found[0])
        rows = {TABLE: writer.rows}
        write_shard_mark(out, ShardMark(number=number, objects=0, rows=rows, reasons={}))
    for age, one in enumerate(RUNS):
        if (folder_of(root, one) / "rows").is_dir():
            os.utime(folder_of(root, one) / "rows", (age, age))
    return "".join(made)


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): file_digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_rows_that_moved_to_another_shard_are_taken_over_byte_for_byte(tmp_path: Path) -> None:
    assert make(tmp_path / "old", RUNS[0], ["abc", "def"]) == "abcdef"
    shards = ["nabe", "cd", "fb"]
    assert make(tmp_path / "old", RUNS[1], shards) == "n"
    make(tmp_path / "fresh", RUNS[1], shards)
    made = content(folder_of(tmp_path / "old", RUNS[1]))
    assert made == content(folder_of(tmp_path / "fresh", RUNS[1]))
    assert len(made) == 3 * len(shards)


def test_two_runs_are_asked_and_the_own_folder_is_not(tmp_path: Path) -> None:
    make(tmp_path, RUNS[0], ["abc", "x"])
    make(tmp_path, RUNS[1], ["abc"])
    assert make(tmp_path, RUNS[2], ["abx"]) == ""
    make(tmp_path, RUNS[2], ["ab"])
    assert make(tmp_path, RUNS[3], ["abcx"]) == "x"
    assert make(tmp_path / "new", RUNS[0], ["aa", "a"]) == "aaa"


def test_other_code_and_other_parts_are_other_rows(tmp_path: Path) -> None:
    make(tmp_path, RUNS[0], [["ab"]])
    assert make(tmp_path, RUNS[1], [["ab"]], DECIDES.replace("ab", "cd")) == "ab"
    kept = KeptRows(folder_of(tmp_path, RUNS[2]), DECIDES, (TABLE,))
    assert kept.find(kept.key(b"a", b"b")) is not None
    assert kept.find(kept.key(b"", b"ab")) is kept.find(kept.key(b"ab", b"")) is None


@pytest.mark.parametrize("place", ["rows/00000.keys", f"{TABLE}/{TABLE}-00000.parquet"])
def test_a_damaged_shard_costs_its_rows(tmp_path: Path, place: str) -> None:
    make(tmp_path / "fresh", RUNS[1], ["abcd"])
    make(tmp_path, RUNS[0], ["abc", "d"])
    path = folder_of(tmp_path, RUNS[0]) / place
    whole = path.read_bytes()
    for at in range(0, len(whole), 1 + len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert make(tmp_path, RUNS[1], ["abcd"]) == "abc"
        fresh = content(folder_of(tmp_path / "fresh", RUNS[1]))
        assert content(folder_of(tmp_path, RUNS[1])) == fresh
        shutil.rmtree(folder_of(tmp_path, RUNS[1]))
    path.unlink()
    assert make(tmp_path, RUNS[1], ["abcd"]) == "abc"


@pytest.mark.parametrize("gone", ["shards/00000.json", "shards", TABLE, "rows", ""])
def test_what_was_cleaned_away_is_made_again(tmp_path: Path, gone: str) -> None:
    make(tmp_path, RUNS[0], ["abc"])
    path = folder_of(tmp_path, RUNS[0]) / gone
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    assert make(tmp_path, RUNS[1], ["abc"]) == "abc"


def test_a_folder_of_ones_own_keeps_nothing(tmp_path: Path) -> None:
    with kept_rows(tmp_path / "out", DECIDES, 0, (TABLE,)) as kept:
        assert kept.key(b"a") is None
        kept.note(None)
        assert kept.find(None) is None
    assert list(tmp_path.iterdir()) == []


def test_a_row_of_what_has_no_key_leaves_its_shard_without(tmp_path: Path) -> None:
    make(tmp_path, RUNS[0], ["ab"])
    part = part_path(folder_of(tmp_path, RUNS[0]), TABLE, 0)
    found = keys_of_part(part)
    assert len(found) == 2
    assert None not in found
    out = folder_of(tmp_path, RUNS[1])
    with kept_rows(out, DECIDES, 0, (TABLE,)) as kept:
        for one in (found[0], None, found[1]):
            kept.note(kept.key(one))
    assert not out.exists()
    (folder_of(tmp_path, RUNS[0]) / "rows" / "00000.keys").write_bytes(b"too short")
    assert keys_of_part(part) == [None, None]


def test_a_shard_is_known_by_all_its_rows_in_their_order() -> None:
    keys = [bytes([number]) * 16 for number in range(3)]
    told = [
        shard_key(DECIDES, keys),
        shard_key(DECIDES, keys[::-1]),
        shard_key(DECIDES, keys[:2]),
        shard_key("stage:sha256:00", keys),
        shard_key(DECIDES, []),
    ]
    assert len(set(told)) == len(told)
    assert shard_key(DECIDES, iter(keys)) == told[0]
    assert shard_key(DECIDES, [*keys, None]) == ""
